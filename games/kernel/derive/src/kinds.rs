//! Conversions between enums and one of several messages.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Error, Fields, Ident, Path};

use crate::as_field;
use crate::attributes::{Container, Variant, parent};
use crate::fields::{FieldCode, by_type};

pub(crate) fn kinds(
    input: &DeriveInput,
    container: &Container,
    kinds: &[Path],
    message: Option<&Path>,
    data: &DataEnum,
) -> syn::Result<TokenStream> {
    let absent = absent(data, message.is_some())?;
    let wrapped = message.map(|message| wrapped(input, container, message, absent));
    let kinds: Vec<TokenStream> = kinds
        .iter()
        .map(|kinds| of(input, container, kinds, message, data))
        .collect::<syn::Result<_>>()?;
    Ok(quote!(#(#kinds)* #wrapped))
}

fn absent(data: &DataEnum, has_message: bool) -> syn::Result<Option<&Ident>> {
    let mut absent = None;
    for variant in &data.variants {
        let odd = !has_message || !matches!(variant.fields, Fields::Unit);
        if Variant::of(&variant.attrs)?.absent && (odd || absent.replace(&variant.ident).is_some())
        {
            let text =
                "at most one variant without data can be the default, in a message of its own";
            return Err(Error::new_spanned(variant, text));
        }
    }
    Ok(absent)
}

#[expect(clippy::too_many_lines, reason = "one arm for each form of a variant")]
fn of(
    input: &DeriveInput,
    container: &Container,
    kinds: &Path,
    message: Option<&Path>,
    data: &DataEnum,
) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let package = message.map_or_else(|| parent(kinds, 2), |message| parent(message, 1));
    let (mut read, mut write, mut nested) = (quote!(), quote!(), Vec::new());
    let some = quote!(::core::option::Option::Some);
    for variant in &data.variants {
        let attrs = Variant::of(&variant.attrs)?;
        let own = &variant.ident;
        let kind = attrs.name.as_ref().unwrap_or(own);
        let payload =
            attrs.message.as_ref().map_or_else(|| quote!(#package #kind), |path| quote!(#path));
        let field = snake(kind);
        match &variant.fields {
            Fields::Unit => {
                read.extend(
                    quote!(#kinds::#kind(_) => #some(::core::result::Result::Ok(Self::#own)),),
                );
                write.extend(quote!(Self::#own => #kinds::#kind(#payload {}),));
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 && attrs.nested => {
                let inner = &fields.unnamed[0].ty;
                nested.push(quote! {
                    if let ::core::option::Option::Some(read) = <#inner as ::heliopause_kernel::wire::Kind<#kinds>>::read_kind(kind) {
                        return ::core::option::Option::Some(read.map(Self::#own));
                    }
                });
                write.extend(quote!(Self::#own(inner) => ::heliopause_kernel::wire::Kind::write_kind(inner),));
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let by_type = by_type(&fields.unnamed[0].ty, &container.with);
                let (reader, writer) =
                    (by_type.read(&quote!(message)), by_type.write(&quote!(inner)));
                read.extend(quote! {
                    #kinds::#kind(message) => #some(::heliopause_kernel::wire::inside(#field, #reader).map(Self::#own)),
                });
                write.extend(quote!(Self::#own(inner) => #kinds::#kind(#writer),));
            }
            Fields::Unnamed(fields) => {
                return Err(Error::new_spanned(
                    fields,
                    "a variant must have named fields, or one unnamed field",
                ));
            }
            Fields::Named(fields) => {
                let FieldCode { read: reads, write: writes, parts, pattern } =
                    FieldCode::of(fields, container)?;
                read.extend(quote! {
                    #kinds::#kind(message) => {
                        let read = || ::core::result::Result::Ok(Self::#own { #reads });
                        #some(::heliopause_kernel::wire::inside(#field, read()))
                    }
                });
                write.extend(quote! {
                    Self::#own { #pattern } => {
                        #[allow(unused_mut, clippy::let_and_return)]
                        let mut message = #payload { #writes };
                        #parts
                        #kinds::#kind(message)
                    }
                });
            }
        }
    }
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Kind<#kinds> for #name {
            fn read_kind(kind: &#kinds) -> ::core::option::Option<::heliopause_kernel::wire::Result<Self>> {
                #(#nested)*
                #[allow(
                    unreachable_patterns,
                    clippy::match_single_binding,
                    clippy::match_wildcard_for_single_variants,
                    clippy::wildcard_enum_match_arm
                )]
                match kind {
                    #read
                    _ => ::core::option::Option::None,
                }
            }
            fn write_kind(&self) -> #kinds {
                match self { #write }
            }
        }
    })
}

fn wrapped(
    input: &DeriveInput,
    container: &Container,
    message: &Path,
    absent: Option<&Ident>,
) -> TokenStream {
    let name = &input.ident;
    let absent = absent.map(|absent| {
        quote! {
            if message.kind.is_none() {
                return ::core::result::Result::Ok(Self::#absent);
            }
        }
    });
    let as_field = as_field(input, message, container.or_default);
    let check = container.check.as_ref().map(|check| quote!(#check(&it)?;));
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Read<#message> for #name {
            fn read(message: &#message) -> ::heliopause_kernel::wire::Result<Self> {
                #absent
                let it = ::heliopause_kernel::wire::kind(message.kind.as_ref())?;
                #check
                ::core::result::Result::Ok(it)
            }
        }
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Write<#message> for #name {
            fn write(&self) -> #message {
                #message { kind: ::core::option::Option::Some(::heliopause_kernel::wire::Kind::write_kind(self)) }
            }
        }
        #as_field
    }
}

/// Converts `BreakOff` to `break_off`.
pub(crate) fn snake(kind: &Ident) -> String {
    let mut text = String::new();
    for letter in kind.to_string().chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
