//! Parsing of `#[wire(...)]` attributes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Error, Expr, Ident, Path, Token, Type, parenthesized};

/// The representation of a type in the contract.
pub(crate) enum Shape {
    Message(Path),
    Words(Path),
    /// One of several messages of a oneof, which may be the only field of a message or belong to
    /// several enums.
    Kinds {
        kinds: Vec<Path>,
        message: Option<Path>,
    },
    /// One of several choices of a message's fields. The message may have further fields.
    Choice {
        message: Option<Path>,
        parts: Vec<Path>,
    },
    Text,
    Transparent,
}

pub(crate) struct Container {
    pub(crate) shape: Shape,
    /// Fields of the message that have no field in the type.
    pub(crate) without: Vec<Ident>,
    pub(crate) always: Vec<(Ident, Expr)>,
    pub(crate) check: Option<Path>,
    pub(crate) or_default: bool,
    pub(crate) with: Vec<(Type, Path)>,
    pub(crate) most: Option<Expr>,
    pub(crate) fault: Option<Expr>,
}

impl Container {
    pub(crate) fn of(input: &DeriveInput) -> syn::Result<Self> {
        let (mut message, mut words, mut kinds) = (None, None, Vec::new());
        let (mut text, mut transparent) = (false, false);
        let (mut without, mut always, mut check, mut or_default) =
            (Vec::new(), Vec::new(), None, false);
        let (mut with, mut most, mut fault) = (Vec::new(), None, None);
        let (mut choice, mut parts) = (None, Vec::new());
        each(&input.attrs, |meta| {
            match word(meta)?.as_str() {
                "message" => message = Some(meta.value()?.parse()?),
                "words" => words = Some(meta.value()?.parse()?),
                "kinds" => kinds.push(meta.value()?.parse()?),
                "text" => text = true,
                "transparent" => transparent = true,
                "without" => without = idents(meta)?,
                "always" => always = values(meta)?,
                "check" => check = Some(meta.value()?.parse()?),
                "or_default" => or_default = true,
                "with" => with = modules(meta)?,
                "most" => most = Some(meta.value()?.parse()?),
                "choice" => choice = Some(meta.value()?.parse()?),
                "choice_in" => parts.push(meta.value()?.parse()?),
                "fault" => fault = Some(meta.value()?.parse()?),
                _ => {
                    let known = "expected message, words, kinds, choice, choice_in, text, \
                        transparent, without, always, check, or_default, with, most or fault";
                    return Err(meta.error(known));
                }
            }
            Ok(())
        })?;
        let shape = match (message, words, kinds.is_empty(), text, transparent) {
            (None, None, true, false, false) if choice.is_some() || !parts.is_empty() => {
                Shape::Choice { message: choice, parts }
            }
            (Some(message), None, true, false, false) => Shape::Message(message),
            (message, None, false, false, false) => Shape::Kinds { kinds, message },
            (None, Some(words), true, false, false) => Shape::Words(words),
            (None, None, true, true, false) => Shape::Text,
            (None, None, true, false, true) => Shape::Transparent,
            _ => return Err(Error::new_spanned(&input.ident, SHAPES)),
        };
        Ok(Self { shape, without, always, check, or_default, with, most, fault })
    }
}

const SHAPES: &str = "give the wire type: #[wire(message = ..)], #[wire(words = ..)], #[wire(kinds \
    = ..)], #[wire(text)] or #[wire(transparent)]";

#[derive(Default)]
pub(crate) struct Field {
    pub(crate) name: Option<Ident>,
    pub(crate) with: Option<Path>,
    pub(crate) skip: bool,
    pub(crate) check: Option<Path>,
    pub(crate) most: Option<Expr>,
    pub(crate) or_default: bool,
    /// Fields of the message that together form this field.
    pub(crate) part: Vec<Ident>,
    /// Fields of the message that become the items of this array.
    pub(crate) each: Vec<Ident>,
    pub(crate) oneof: bool,
}

impl Field {
    pub(crate) fn of(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut field = Self::default();
        each(attributes, |meta| {
            match word(meta)?.as_str() {
                "name" => field.name = Some(meta.value()?.parse()?),
                "with" => field.with = Some(meta.value()?.parse()?),
                "check" => field.check = Some(meta.value()?.parse()?),
                "skip" => field.skip = true,
                "most" => field.most = Some(meta.value()?.parse()?),
                "or_default" => field.or_default = true,
                "part" => field.part = idents(meta)?,
                "each" => field.each = idents(meta)?,
                "oneof" => field.oneof = true,
                _ => {
                    return Err(meta.error(
                        "expected name, with, check, skip, most, or_default, part, each or oneof",
                    ));
                }
            }
            Ok(())
        })?;
        Ok(field)
    }
}

#[derive(Default)]
pub(crate) struct Variant {
    pub(crate) name: Option<Ident>,
    /// The message, if its name differs from the variant's.
    pub(crate) message: Option<Path>,
    pub(crate) nested: bool,
    pub(crate) absent: bool,
    pub(crate) skip: bool,
}

impl Variant {
    pub(crate) fn of(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut variant = Self::default();
        each(attributes, |meta| {
            match word(meta)?.as_str() {
                "name" => variant.name = Some(meta.value()?.parse()?),
                "message" => variant.message = Some(meta.value()?.parse()?),
                "nested" => variant.nested = true,
                "absent" => variant.absent = true,
                "skip" => variant.skip = true,
                _ => return Err(meta.error("expected name, message, nested, absent or skip")),
            }
            Ok(())
        })?;
        Ok(variant)
    }
}

pub(crate) fn parent(path: &Path, segments: usize) -> TokenStream {
    let (colon, kept) = (&path.leading_colon, path.segments.len().saturating_sub(segments));
    let kept = path.segments.iter().take(kept);
    quote!(#colon #(#kept ::)*)
}

fn each(
    attributes: &[Attribute],
    mut read: impl FnMut(&ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("wire")) {
        attribute.parse_nested_meta(|meta| read(&meta))?;
    }
    Ok(())
}

fn word(meta: &ParseNestedMeta<'_>) -> syn::Result<String> {
    meta.path.require_ident().map(ToString::to_string)
}

fn idents(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<Ident>> {
    let inner;
    parenthesized!(inner in meta.input);
    let list = Punctuated::<Ident, Token![,]>::parse_terminated(&inner)?;
    Ok(list.into_iter().collect())
}

fn values(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<(Ident, Expr)>> {
    let mut list = Vec::new();
    meta.parse_nested_meta(|value| {
        list.push((value.path.require_ident()?.clone(), value.value()?.parse()?));
        Ok(())
    })?;
    Ok(list)
}

fn modules(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<(Type, Path)>> {
    let inner;
    parenthesized!(inner in meta.input);
    let module = |input: syn::parse::ParseStream<'_>| {
        let of = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok((of, input.parse()?))
    };
    let list = inner.parse_terminated(module, Token![,])?;
    Ok(list.into_iter().collect())
}
