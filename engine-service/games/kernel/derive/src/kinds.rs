//! Enums that travel as one of several messages.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Error, Fields, Ident, Path};

use crate::as_field;
use crate::attributes::{Container, Variant, parent};
use crate::fields::Passage;

pub(crate) fn kinds(
    input: &DeriveInput,
    container: &Container,
    kinds: &[Path],
    message: Option<&Path>,
    data: &DataEnum,
) -> syn::Result<TokenStream> {
    let wrapped = message.map(|message| wrapped(input, container, message));
    let kinds: Vec<TokenStream> =
        kinds.iter().map(|kinds| of(input, kinds, message, data)).collect::<syn::Result<_>>()?;
    Ok(quote!(#(#kinds)* #wrapped))
}

/// The enum as one of these kinds.
fn of(input: &DeriveInput, kinds: &Path, message: Option<&Path>, data: &DataEnum) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let package = message.map_or_else(|| parent(kinds, 2), |message| parent(message, 1));
    let (mut read, mut write, mut nested) = (quote!(), quote!(), Vec::new());
    for variant in &data.variants {
        let told = Variant::of(&variant.attrs)?;
        let own = &variant.ident;
        let kind = told.name.as_ref().unwrap_or(own);
        let payload = told.message.as_ref().map_or_else(|| quote!(#package #kind), |path| quote!(#path));
        let field = snake(kind);
        match &variant.fields {
            Fields::Unit => {
                read.extend(quote!(#kinds::#kind(_) => ::core::result::Result::Ok(Self::#own),));
                write.extend(quote!(Self::#own => #kinds::#kind(#payload {}),));
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 && told.nested => {
                let inner = &fields.unnamed[0].ty;
                nested.push(quote! {
                    if let ::core::option::Option::Some(read) = <#inner as ::heliopause_kernel::wire::Kind<#kinds>>::read_kind(kind) {
                        return ::core::option::Option::Some(read.map(Self::#own));
                    }
                });
                write.extend(quote!(Self::#own(inner) => ::heliopause_kernel::wire::Kind::write_kind(inner),));
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                read.extend(quote! {
                    #kinds::#kind(message) => {
                        ::heliopause_kernel::wire::inside(#field, ::heliopause_kernel::wire::Read::read(message)).map(Self::#own)
                    }
                });
                write.extend(
                    quote!(Self::#own(inner) => #kinds::#kind(::heliopause_kernel::wire::Write::write(inner)),),
                );
            }
            Fields::Unnamed(fields) => {
                return Err(Error::new_spanned(fields, "a variant has named fields, or one that travels as a whole"));
            }
            Fields::Named(fields) => {
                let Passage { read: reads, write: writes, parts, pattern } = Passage::of(fields)?;
                read.extend(quote! {
                    #kinds::#kind(message) => {
                        let read = || ::core::result::Result::Ok(Self::#own { #reads });
                        ::heliopause_kernel::wire::inside(#field, read())
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
                #[allow(unreachable_patterns)]
                ::core::option::Option::Some(match kind {
                    #read
                    _ => return ::core::option::Option::None,
                })
            }
            fn write_kind(&self) -> #kinds {
                match self { #write }
            }
        }
    })
}

/// The message that holds nothing but the kind.
fn wrapped(input: &DeriveInput, container: &Container, message: &Path) -> TokenStream {
    let name = &input.ident;
    let as_field = as_field(input, message, container.or_default);
    let check = container.check.as_ref().map(|check| quote!(#check(&it)?;));
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Read<#message> for #name {
            fn read(message: &#message) -> ::heliopause_kernel::wire::Result<Self> {
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

/// The field of a kind: `BreakOff` is `break_off`.
fn snake(kind: &Ident) -> String {
    let mut text = String::new();
    for letter in kind.to_string().chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
