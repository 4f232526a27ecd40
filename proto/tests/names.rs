//! Naming rules for the contract.

use prost::Message as _;
use prost_types::field_descriptor_proto::Type;
use prost_types::{DescriptorProto, FileDescriptorSet};

/// Keywords of Python and C++, whose generated code cannot use them as field names.
const KEYWORDS: &str = "False None True and as assert async await break class continue def del \
    elif else except finally for from global \
    if import in is lambda nonlocal not or pass raise return try while with yield \
    alignas alignof asm auto bitand bitor bool case catch char compl concept const constexpr \
    decltype default delete do double enum \
    explicit export extern false float friend goto inline int long mutable namespace new noexcept \
    nullptr operator private protected \
    public register requires short signed sizeof static struct switch template this throw true \
    typedef typeid typename union unsigned \
    using virtual void volatile xor";

fn messages() -> Vec<(String, DescriptorProto)> {
    fn gather(path: &str, message: &DescriptorProto, found: &mut Vec<(String, DescriptorProto)>) {
        let path = format!("{path}.{}", message.name());
        message.nested_type.iter().for_each(|nested| gather(&path, nested, found));
        found.push((path, message.clone()));
    }
    let files = FileDescriptorSet::decode(heliopause_proto::DESCRIPTORS)
        .expect("the descriptors are whole")
        .file;
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.package().starts_with("heliopause.")) {
        file.message_type.iter().for_each(|message| gather(file.package(), message, &mut found));
    }
    found
}

#[test]
fn no_field_is_a_keyword() {
    let keywords: Vec<&str> = KEYWORDS.split_whitespace().collect();
    assert!(keywords.contains(&"from") && keywords.contains(&"private"));
    let clash = |name: &str| keywords.contains(&name);
    let mut clashes = Vec::new();
    for (path, message) in messages() {
        clashes.extend(
            message
                .field
                .iter()
                .filter(|field| clash(field.name()))
                .map(|field| format!("{path}.{}", field.name())),
        );
        clashes.extend(
            message
                .oneof_decl
                .iter()
                .filter(|one| clash(one.name()))
                .map(|one| format!("{path}.{}", one.name())),
        );
    }
    assert!(clashes.is_empty(), "{clashes:?}");
}

/// AIP-142: names of timestamps end in `time`. Messages internal to the server are excluded.
#[test]
fn instants_are_named_after_time() {
    let mut others = Vec::new();
    for (path, message) in
        messages().into_iter().filter(|(path, _)| !path.starts_with("heliopause.store."))
    {
        let instants = message.field.iter().filter(|field| {
            field.r#type() == Type::Message && field.type_name() == ".google.protobuf.Timestamp"
        });
        let wrong =
            instants.filter(|field| field.name() != "time" && !field.name().ends_with("_time"));
        others.extend(wrong.map(|field| format!("{path}.{}", field.name())));
    }
    assert!(others.is_empty(), "{others:?}");
}

/// AIP-158: all paged responses use the same style of page token.
#[test]
fn lists_have_pages_in_one_style() {
    let all = messages();
    let names = |message: &DescriptorProto| {
        message.field.iter().map(|field| field.name().to_owned()).collect::<Vec<_>>()
    };
    let mut paged = 0;
    for (path, message) in &all {
        let fields = names(message);
        let has = |name: &str| fields.iter().any(|field| field == name);
        assert!(!has("more"), "{path} says that there is more, but not how to ask for it");
        assert_eq!(has("page_size"), has("page_token"), "{path} has one without the other");
        if has("page_size") {
            let answer = path.replace("Request", "Response");
            let (_, answer) =
                all.iter().find(|(path, _)| *path == answer).unwrap_or_else(|| panic!("{answer}"));
            assert!(
                names(answer).contains(&"next_page_token".to_owned()),
                "the answer to {path} leads no further"
            );
            paged += 1;
        }
    }
    assert!(paged >= 10, "{paged}");
}
