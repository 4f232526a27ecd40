//! The variants and fields of types as facts for sentences.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Ident};

use crate::attributes::Variant;

pub(crate) fn facts(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let (mut arms, mut kinds) = (quote!(), quote!());
    match &input.data {
        Data::Struct(data) => arms.extend(arm(&quote!(Self), &quote!(), &data.fields, false)?),
        Data::Enum(data) => {
            for variant in &data.variants {
                let own = &variant.ident;
                let kind = own.to_string();
                let is_nested = Variant::of(&variant.attrs)?.nested;
                let add = if is_nested { quote!() } else { quote!(__list.add(__name, #kind);) };
                arms.extend(arm(&quote!(Self::#own), &add, &variant.fields, is_nested)?);
                let inner = variant.fields.iter().next().filter(|_| is_nested);
                kinds.extend(inner.map_or_else(
                    || quote!(kinds.push(#kind);),
                    |inner| {
                        let inner = &inner.ty;
                        quote!(<#inner as ::heliopause_kernel::sentence::Facts>::kinds(kinds);)
                    },
                ));
            }
        }
        Data::Union(_) => return Err(Error::new_spanned(name, "expected a struct or an enum")),
    }
    Ok(quote! {
        #[automatically_derived]
        impl ::heliopause_kernel::sentence::Facts for #name {
            fn add_to(&self, __list: &mut ::heliopause_kernel::sentence::FactList<'_>, __name: &str) {
                match self { #arms }
            }
            fn kinds(kinds: &mut ::std::vec::Vec<&'static str>) {
                #kinds
            }
        }
    })
}

fn arm(
    pattern: &TokenStream,
    add: &TokenStream,
    fields: &Fields,
    is_nested: bool,
) -> syn::Result<TokenStream> {
    Ok(match fields {
        Fields::Unit => quote!(#pattern => { #add }),
        Fields::Named(fields) => {
            let names: Vec<&Ident> =
                fields.named.iter().filter_map(|field| field.ident.as_ref()).collect();
            let texts = names.iter().map(ToString::to_string);
            quote!(#pattern { #(#names),* } => { #add #(__list.add_field(__name, #texts, #names);)* })
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 && is_nested => {
            quote!(#pattern(it) => ::heliopause_kernel::sentence::Facts::add_to(it, __list, __name),)
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            quote!(#pattern(it) => { #add __list.add_field(__name, "it", it); })
        }
        Fields::Unnamed(fields) => {
            return Err(Error::new_spanned(fields, "expected at most one unnamed field"));
        }
    })
}
