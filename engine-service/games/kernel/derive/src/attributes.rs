//! What `#[wire(...)]` says.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Error, Expr, Ident, Path, Token, Type, parenthesized};

/// As what a type travels.
pub(crate) enum Shape {
    /// A struct as a message.
    Message(Path),
    /// An enum without data as an enum of the contract.
    Words(Path),
    /// An enum as one of several messages, perhaps wrapped in one that holds nothing else; or in
    /// several such choices.
    Kinds {
        kinds: Vec<Path>,
        message: Option<Path>,
    },
    /// An enum as a choice of fields: of a message that has no others, or of several that have.
    Choice {
        message: Option<Path>,
        parts: Vec<Path>,
    },
    Text,
    /// The only value in it.
    Transparent,
}

/// What is said of a type.
pub(crate) struct Container {
    /// As what it travels.
    pub(crate) shape: Shape,
    /// Fields of the message that the type lacks.
    pub(crate) without: Vec<Ident>,
    /// Fields of the message that are always the same.
    pub(crate) always: Vec<(Ident, Expr)>,
    /// What else must hold of it.
    pub(crate) check: Option<Path>,
    /// Whether it is as by default where it is missing.
    pub(crate) or_default: bool,
    /// Types of fields, and the modules that read and write all of them.
    pub(crate) with: Vec<(Type, Path)>,
    /// The most rows of its lists that say nothing else.
    pub(crate) most: Option<Expr>,
    /// What is wrong if not exactly one choice is given.
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

const SHAPES: &str = "say as what it travels: #[wire(message = ..)], #[wire(words = ..)], \
    #[wire(kinds = ..)], #[wire(text)] or #[wire(transparent)]";

/// What is said of a field.
#[derive(Default)]
pub(crate) struct Field {
    /// Its name in the message.
    pub(crate) name: Option<Ident>,
    /// The module whose `read` and `write` are used.
    pub(crate) with: Option<Path>,
    /// Whether the message lacks it.
    pub(crate) skip: bool,
    /// What else must hold of it.
    pub(crate) check: Option<Path>,
    /// The most rows of a list.
    pub(crate) most: Option<Expr>,
    /// Whether it is as by default where it is absent.
    pub(crate) or_default: bool,
    /// The fields of the message that it is made of.
    pub(crate) part: Vec<Ident>,
    /// The fields of the message that its items are, if it is an array.
    pub(crate) each: Vec<Ident>,
    /// Whether it is a oneof of the message.
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

/// What is said of a variant.
#[derive(Default)]
pub(crate) struct Variant {
    /// Its name in the contract.
    pub(crate) name: Option<Ident>,
    /// Its message, where that is called otherwise.
    pub(crate) message: Option<Path>,
    /// Whether it holds kinds of the same message.
    pub(crate) nested: bool,
    /// Whether a word or kind that is not given means it.
    pub(crate) absent: bool,
    /// Whether the contract has no word for it.
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

/// A path without its last segments: the module that something is in.
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
