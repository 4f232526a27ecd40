//! Conversions between structs and messages.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Fields, FieldsNamed, Ident, Path, Type};

use crate::as_field;
use crate::attributes::{Container, Field};

pub(crate) struct FieldCode {
    /// `field: read,` for each field of the type, from `message`.
    pub(crate) read: TokenStream,
    /// `field: write,` for each field of the message, from variables named after the type's fields.
    pub(crate) write: TokenStream,
    /// Statements that write fields represented by several fields of `message`.
    pub(crate) parts: TokenStream,
    pub(crate) pattern: TokenStream,
}

impl FieldCode {
    pub(crate) fn of(fields: &FieldsNamed, container: &Container) -> syn::Result<Self> {
        let mut passage =
            Self { read: quote!(), write: quote!(), parts: quote!(), pattern: quote!() };
        for field in &fields.named {
            if let Some(own) = &field.ident {
                passage.add(field, own, container)?;
            }
        }
        Ok(passage)
    }

    fn add(&mut self, field: &syn::Field, own: &Ident, container: &Container) -> syn::Result<()> {
        let attrs = Field::of(&field.attrs)?;
        let Self { read, write, parts, pattern } = self;
        if attrs.skip {
            read.extend(quote!(#own: ::core::default::Default::default(),));
            pattern.extend(quote!(#own: _,));
            return Ok(());
        }
        pattern.extend(quote!(#own,));
        if !attrs.part.is_empty() {
            let made_of = &attrs.part;
            let passage = attrs
                .with
                .map_or_else(|| quote!(::heliopause_kernel::wire::Part), |with| quote!(#with));
            read.extend(quote!(#own: #passage::read_part(message)?,));
            write.extend(quote!(#(#made_of: ::core::default::Default::default(),)*));
            parts.extend(quote!(#passage::write_part(#own, &mut message);));
            return Ok(());
        }
        if !attrs.each.is_empty() {
            let item = if let Type::Array(array) = &field.ty { &array.elem } else { &field.ty };
            let by_type = by_type(item, &container.with);
            let readers = attrs.each.iter().map(|name| {
                let (text, reader) = (field_name(name), by_type.read(&quote!(&message.#name)));
                quote!(::heliopause_kernel::wire::inside(#text, #reader)?)
            });
            read.extend(quote!(#own: [#(#readers),*],));
            for (place, name) in attrs.each.iter().enumerate() {
                let writer = by_type.write(&quote!(&#own[#place]));
                write.extend(quote!(#name: #writer,));
            }
            return Ok(());
        }
        let (reader, writer) = one_for_one(field, own, attrs, container)?;
        read.extend(quote!(#own: #reader,));
        write.extend(writer);
        Ok(())
    }
}

fn one_for_one(
    field: &syn::Field,
    own: &Ident,
    attrs: Field,
    container: &Container,
) -> syn::Result<(TokenStream, TokenStream)> {
    let name = attrs.name.clone().unwrap_or_else(|| own.clone());
    let text = field_name(&name);
    let from = quote!(&message.#name);
    if attrs.oneof && is(&field.ty, "Option") {
        let reader = quote!(|kind| ::heliopause_kernel::wire::oneof(#text, ::core::option::Option::Some(kind)));
        return Ok((
            quote!((#from).as_ref().map(#reader).transpose()?),
            quote!(#name: #own.as_ref().map(::heliopause_kernel::wire::Kind::write_kind),),
        ));
    }
    if attrs.oneof {
        return Ok((
            quote!(::heliopause_kernel::wire::oneof(#text, (#from).as_ref())?),
            quote!(#name: ::core::option::Option::Some(::heliopause_kernel::wire::Kind::write_kind(#own)),),
        ));
    }
    let by_type = by_type(&field.ty, &container.with);
    let plain = attrs.with.is_none() && !attrs.or_default && matches!(by_type, ByType::Traits);
    let most =
        attrs.most.as_ref().or(container.most.as_ref().filter(|_| plain && is(&field.ty, "Vec")));
    let reader = match (&attrs.with, most, attrs.or_default) {
        (None, None, false) => by_type.read(&from),
        (None, None, true) => quote!(::heliopause_kernel::wire::or_default(#from)),
        (None, Some(most), false) => quote!(::heliopause_kernel::wire::rows(#from, #most)),
        (Some(with), None, false) => quote!(#with::read(#from)),
        _ => {
            return Err(Error::new_spanned(
                field,
                "`with`, `most` and `or_default` are mutually exclusive",
            ));
        }
    };
    let reader = match &attrs.check {
        Some(check) => {
            let ty = &field.ty;
            quote!(#reader.and_then(|it: #ty| #check(&it).map(|()| it)))
        }
        None => reader,
    };
    let value = quote!(#own);
    let writer =
        attrs.with.map_or_else(|| by_type.write(&value), |with| quote!(#with::write(#own)));
    Ok((quote!(::heliopause_kernel::wire::inside(#text, #reader)?), quote!(#name: #writer,)))
}

fn field_name(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

pub(crate) fn is(of: &Type, name: &str) -> bool {
    matches!(of, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

pub(crate) enum ByType<'a> {
    Traits,
    Module(&'a Path),
    Optional(&'a Path),
}

pub(crate) fn by_type<'a>(of: &Type, with: &'a [(Type, Path)]) -> ByType<'a> {
    let of = quote!(#of).to_string();
    for (own, module) in with {
        if of == quote!(#own).to_string() {
            return ByType::Module(module);
        }
        if of == quote!(Option<#own>).to_string() {
            return ByType::Optional(module);
        }
    }
    ByType::Traits
}

impl ByType<'_> {
    pub(crate) fn read(&self, from: &TokenStream) -> TokenStream {
        match self {
            Self::Traits => quote!(::heliopause_kernel::wire::Read::read(#from)),
            Self::Module(module) => quote!(#module::read(#from)),
            Self::Optional(module) => {
                quote!(::heliopause_kernel::wire::optional(#from, #module::read))
            }
        }
    }

    pub(crate) fn write(&self, value: &TokenStream) -> TokenStream {
        match self {
            Self::Traits => quote!(::heliopause_kernel::wire::Write::write(#value)),
            Self::Module(module) => quote!(#module::write(#value)),
            Self::Optional(module) => {
                quote!(#value.as_ref().map(#module::write).unwrap_or_default())
            }
        }
    }
}

pub(crate) fn message(
    input: &DeriveInput,
    container: &Container,
    message: &Path,
    fields: &Fields,
) -> syn::Result<TokenStream> {
    let Fields::Named(fields) = fields else {
        return Err(Error::new_spanned(
            &input.ident,
            "`message` requires a struct with named fields",
        ));
    };
    let name = &input.ident;
    let FieldCode { read, write, parts, pattern } = FieldCode::of(fields, container)?;
    let (without, always) =
        (&container.without, container.always.iter().map(|(field, value)| quote!(#field: #value,)));
    let check = container.check.as_ref().map(|check| quote!(#check(&it)?;));
    let as_field = as_field(input, message, container.or_default);
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Read<#message> for #name {
            fn read(message: &#message) -> ::heliopause_kernel::wire::Result<Self> {
                let it = Self { #read };
                #check
                ::core::result::Result::Ok(it)
            }
        }
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl ::heliopause_kernel::wire::Write<#message> for #name {
            #[allow(unused_mut, clippy::let_and_return)]
            fn write(&self) -> #message {
                let Self { #pattern } = self;
                let mut message = #message { #write #(#always)* #(#without: ::core::default::Default::default(),)* };
                #parts
                message
            }
        }
        #as_field
    })
}
