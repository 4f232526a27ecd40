//! `#[derive(Facts)]`: values for sentences. `heliopause_kernel::sentence` documents it.
//!
//! `#[derive(Wire)]`: conversions between types of the rules and messages of the contract.
//! `heliopause_kernel::wire` documents the derive, with an example.
//!
//! A field that is missing from the message or the type is a compile error, because every message
//! is written as a complete literal.

mod attributes;
mod choice;
mod facts;
mod fields;
mod kinds;
mod words;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Path, parse_macro_input};

use attributes::{Container, Shape};

/// Derives `Read` and `Write` of `heliopause_kernel::wire`.
#[proc_macro_derive(Wire, attributes(wire))]
pub fn wire(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Derives `Facts` of `heliopause_kernel::sentence`.
#[proc_macro_derive(Facts, attributes(wire))]
pub fn facts(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    facts::facts(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let container = Container::of(input)?;
    match (&container.shape, &input.data) {
        (Shape::Message(message), Data::Struct(data)) => {
            fields::message(input, &container, message, &data.fields)
        }
        (Shape::Words(words), Data::Enum(data)) => words::words(input, words, data),
        (Shape::Kinds { kinds, message }, Data::Enum(data)) => {
            kinds::kinds(input, &container, kinds, message.as_ref(), data)
        }
        (Shape::Choice { message, parts }, Data::Enum(data)) => {
            choice::choice(input, &container, message.as_ref(), parts, data)
        }
        (Shape::Text, _) => Ok(text(input)),
        (Shape::Transparent, Data::Struct(data)) => transparent(input, &data.fields),
        (Shape::Message(_) | Shape::Transparent, _) => {
            Err(Error::new_spanned(&input.ident, "expected a struct"))
        }
        (Shape::Words(_) | Shape::Kinds { .. } | Shape::Choice { .. }, _) => {
            Err(Error::new_spanned(&input.ident, "expected an enum"))
        }
    }
}

fn text(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Read<::std::string::String> for #name {
            fn read(message: &::std::string::String) -> ::heliopause_kernel::wire::Result<Self> {
                ::heliopause_kernel::wire::parse(message)
            }
        }
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Write<::std::string::String> for #name {
            fn write(&self) -> ::std::string::String {
                ::std::string::ToString::to_string(self)
            }
        }
    }
}

fn transparent(input: &DeriveInput, fields: &Fields) -> syn::Result<TokenStream> {
    let Fields::Unnamed(inner) = fields else {
        return Err(Error::new_spanned(
            &input.ident,
            "`transparent` requires a struct with exactly one unnamed field",
        ));
    };
    if inner.unnamed.len() != 1 {
        return Err(Error::new_spanned(
            inner,
            "`transparent` requires a struct with exactly one unnamed field",
        ));
    }
    let (name, inner) = (&input.ident, &inner.unnamed[0].ty);
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl<M> ::heliopause_kernel::wire::Read<M> for #name
        where
            #inner: ::heliopause_kernel::wire::Read<M>,
        {
            fn read(message: &M) -> ::heliopause_kernel::wire::Result<Self> {
                <#inner as ::heliopause_kernel::wire::Read<M>>::read(message).map(Self)
            }
        }
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl<M> ::heliopause_kernel::wire::Write<M> for #name
        where
            #inner: ::heliopause_kernel::wire::Write<M>,
        {
            fn write(&self) -> M {
                <#inner as ::heliopause_kernel::wire::Write<M>>::write(&self.0)
            }
        }
    })
}

/// Implements reading an optional message. An absent message is an error, or gives the default
/// value if `or_default` is set.
fn as_field(input: &DeriveInput, message: &Path, or_default: bool) -> TokenStream {
    let name = &input.ident;
    let absent = if or_default {
        quote!(::core::result::Result::Ok(<Self as ::core::default::Default>::default()))
    } else {
        quote!(::heliopause_kernel::wire::missing())
    };
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Read<::core::option::Option<#message>> for #name {
            fn read(message: &::core::option::Option<#message>) -> ::heliopause_kernel::wire::Result<Self> {
                match message {
                    ::core::option::Option::Some(message) => ::heliopause_kernel::wire::Read::read(message),
                    ::core::option::Option::None => #absent,
                }
            }
        }
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Write<::core::option::Option<#message>> for #name {
            fn write(&self) -> ::core::option::Option<#message> {
                ::core::option::Option::Some(::heliopause_kernel::wire::Write::write(self))
            }
        }
    }
}
