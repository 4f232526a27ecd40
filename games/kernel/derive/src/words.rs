//! Conversions between fieldless enums and enums of the contract.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Error, Fields, Path};

use crate::attributes::Variant;

pub(crate) fn words(
    input: &DeriveInput,
    words: &Path,
    data: &DataEnum,
) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let (mut own, mut named, mut silent, mut absent) = (Vec::new(), Vec::new(), Vec::new(), None);
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, "a word cannot have data"));
        }
        let attrs = Variant::of(&variant.attrs)?;
        if attrs.absent && absent.replace(&variant.ident).is_some() {
            return Err(Error::new_spanned(variant, "at most one word can be the default"));
        }
        if attrs.skip {
            silent.push(&variant.ident);
            continue;
        }
        named.push(attrs.name.unwrap_or_else(|| variant.ident.clone()));
        own.push(&variant.ident);
    }
    let absent =
        absent.map(|absent| quote!(0 => return ::core::result::Result::Ok(Self::#absent),));
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Read<i32> for #name {
            fn read(message: &i32) -> ::heliopause_kernel::wire::Result<Self> {
                #[allow(clippy::single_match)]
                match *message {
                    #absent
                    _ => {}
                }
                #[allow(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]
                match #words::try_from(*message) {
                    #(::core::result::Result::Ok(#words::#named) => ::core::result::Result::Ok(Self::#own),)*
                    _ => ::heliopause_kernel::wire::unknown(),
                }
            }
        }
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Write<i32> for #name {
            fn write(&self) -> i32 {
                match self { #(Self::#own => #words::#named.into(),)* #(Self::#silent => 0,)* }
            }
        }
    })
}
