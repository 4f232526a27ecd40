//! Getters of optional fields return zero for absent fields, regardless of the meaning of absence
//! in the contract. One such getter once kept games from closing phases early. So .clippy.toml
//! disallows them all, and this test checks that its list is complete.

use prost::Message as _;
use prost_types::{DescriptorProto, FileDescriptorSet};

fn getters() -> Vec<String> {
    let files = FileDescriptorSet::decode(heliopause_proto::DESCRIPTORS)
        .expect("the descriptors are whole")
        .file;
    let mut found = Vec::new();
    for file in &files {
        let Some(package) = file.package().strip_prefix("heliopause.") else { continue };
        let module = format!("heliopause_proto::{}", package.replace('.', "::"));
        file.message_type.iter().for_each(|message| gather(&module, message, &mut found));
    }
    found.sort();
    found
}

fn gather(module: &str, message: &DescriptorProto, found: &mut Vec<String>) {
    let optional = message.field.iter().filter(|field| field.proto3_optional());
    found.extend(optional.map(|field| format!("{module}::{}::{}", message.name(), field.name())));
    assert!(
        message
            .nested_type
            .iter()
            .all(|nested| nested.field.iter().all(|field| !field.proto3_optional()))
    );
}

#[test]
fn no_getter_of_an_optional_field_may_be_called() {
    let getters = getters();
    assert!(getters.contains(&"heliopause_proto::v1::Pace::close_early".to_owned()), "{getters:?}");
    let settings = include_str!("../../.clippy.toml");
    let missing: Vec<&String> =
        getters.iter().filter(|path| !settings.contains(&format!("path = \"{path}\""))).collect();
    assert!(missing.is_empty(), "add these to .clippy.toml: {missing:#?}");
}
