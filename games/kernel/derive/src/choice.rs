//! Conversions between enums and choices of a message's fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DataEnum, DeriveInput, Error, Fields, Ident, Path};

use crate::as_field;
use crate::attributes::{Container, Field, Variant};
use crate::fields::{ByType, FieldCode, by_type, is};
use crate::kinds::snake;

struct Choice {
    fields: Vec<Ident>,
    absent: bool,
    read: TokenStream,
    pattern: TokenStream,
    /// `field: write,` for each field of the choice.
    write: TokenStream,
}

pub(crate) fn choice(
    input: &DeriveInput,
    container: &Container,
    message: Option<&Path>,
    parts: &[Path],
    data: &DataEnum,
) -> syn::Result<TokenStream> {
    let choices = data
        .variants
        .iter()
        .map(|variant| of(container, variant))
        .collect::<syn::Result<Vec<_>>>()?;
    let Some(fault) = &container.fault else {
        return Err(Error::new_spanned(
            &input.ident,
            "give the error for other choices: #[wire(fault = \"..\")]",
        ));
    };
    let all: Vec<&Ident> = choices.iter().flat_map(|choice| &choice.fields).collect();
    let reads = choices.iter().map(|choice| {
        let Choice { fields, read, absent, .. } = choice;
        let others = all.iter().filter(|field| !fields.contains(field));
        quote! {
            if true #(&& ::heliopause_kernel::wire::is_empty(&message.#others))*
                && (#absent #(|| !::heliopause_kernel::wire::is_empty(&message.#fields))*)
            {
                return ::core::result::Result::Ok(#read);
            }
        }
    });
    let read = quote!(#(#reads)* ::heliopause_kernel::wire::wrong(#fault));
    let arms = |start: &dyn Fn(&Choice) -> TokenStream| -> TokenStream {
        choices.iter().map(start).collect()
    };
    let name = &input.ident;
    let whole = message.map(|message| {
        let write = arms(&|Choice { fields, pattern, write, .. }| {
            let others = all.iter().filter(|field| !fields.contains(field));
            quote!(#pattern => #message { #write #(#others: ::core::default::Default::default(),)* },)
        });
        let as_field = as_field(input, message, container.or_default);
        let passage = as_message(name, message, &read, &write);
        quote!(#passage #as_field)
    });
    let parts = parts.iter().map(|message| {
        let write = arms(&|Choice { fields, pattern, write, .. }| {
            quote! {
                #pattern => {
                    let written = #message { #write ..::core::default::Default::default() };
                    #(message.#fields = written.#fields;)*
                }
            }
        });
        as_part(name, message, &read, &write)
    });
    Ok(quote!(#whole #(#parts)*))
}

fn as_message(
    name: &Ident,
    message: &Path,
    read: &TokenStream,
    write: &TokenStream,
) -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Read<#message> for #name {
            #[allow(clippy::nonminimal_bool)]
            fn read(message: &#message) -> ::heliopause_kernel::wire::Result<Self> {
                #read
            }
        }
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Write<#message> for #name {
            fn write(&self) -> #message {
                match self { #write }
            }
        }
    }
}

fn as_part(name: &Ident, message: &Path, read: &TokenStream, write: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Part<#message> for #name {
            #[allow(clippy::nonminimal_bool)]
            fn read_part(message: &#message) -> ::heliopause_kernel::wire::Result<Self> {
                #read
            }
            #[allow(clippy::needless_update)]
            fn write_part(&self, message: &mut #message) {
                match self { #write }
            }
        }
    }
}

fn of(container: &Container, variant: &syn::Variant) -> syn::Result<Choice> {
    let (attrs, own) = (Variant::of(&variant.attrs)?, &variant.ident);
    let absent = attrs.absent;
    let field = attrs.name.unwrap_or_else(|| format_ident!("{}", snake(own)));
    Ok(match &variant.fields {
        Fields::Unit => {
            let (pattern, write) = (quote!(Self::#own), quote!(#field: true,));
            Choice { fields: vec![field], absent, read: pattern.clone(), pattern, write }
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let ty = &fields.unnamed[0].ty;
            let by_type = by_type(ty, &container.with);
            let reader = match &container.most {
                Some(most) if is(ty, "Vec") && matches!(by_type, ByType::Traits) => {
                    quote!(::heliopause_kernel::wire::rows(&message.#field, #most))
                }
                _ => by_type.read(&quote!(&message.#field)),
            };
            let (name, writer) = (field.to_string(), by_type.write(&quote!(inner)));
            Choice {
                absent,
                read: quote!(Self::#own(::heliopause_kernel::wire::inside(#name, #reader)?)),
                pattern: quote!(Self::#own(inner)),
                write: quote!(#field: #writer,),
                fields: vec![field],
            }
        }
        Fields::Unnamed(fields) => {
            return Err(Error::new_spanned(
                fields,
                "a choice must have named fields, one field, or be a flag",
            ));
        }
        Fields::Named(named) => {
            let FieldCode { read, write, pattern, .. } = FieldCode::of(named, container)?;
            let (read, pattern) = (quote!(Self::#own { #read }), quote!(Self::#own { #pattern }));
            let mut fields = Vec::new();
            for field in &named.named {
                fields.extend(Field::of(&field.attrs)?.name.or_else(|| field.ident.clone()));
            }
            Choice { fields, absent, read, pattern, write }
        }
    })
}
