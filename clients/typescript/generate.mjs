// Generates the messages and services in gen/ from the contract in ../../proto. `npm run build` runs it, and so does `npm ci`.
//
// Three things differ from what buf generates from the contract. None changes a byte on the wire, and the first two keep a page small:
//
// - What a game alone knows (its options, orders, events, views and positions) is bytes in the envelope. On the wire a message
//   within a message is nothing else. So the client of all games knows none of them, and src/games reads the bytes of one.
// - The options of calls and fields (limits, rights) are for the engine, and are left out.
// - Slingshot, the game that authors of games copy, is left out.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FieldDescriptorProto_Type, FieldOptionsSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const HERE = import.meta.dirname;
const ENVELOPE = "heliopause/v1/envelope.proto";
const LEFT_OUT = /^heliopause\/(limits|rights|slingshot)\//;

const buf = (...args) =>
  execFileSync(join(HERE, "node_modules/.bin/buf"), args, { cwd: HERE, stdio: ["ignore", "inherit", "inherit"] });

/** All files that are generated, as one set of descriptors. */
function contract(scratch) {
  const file = [];
  for (const [at, folder] of [join(HERE, "../../proto"), join(HERE, "proto")].entries()) {
    const image = join(scratch, `${at}.binpb`);
    buf("build", folder, "--output", image);
    file.push(...fromBinary(FileDescriptorSetSchema, readFileSync(image)).file);
  }
  const known = new Set();
  return file.filter(({ name }) => !LEFT_OUT.test(name) && !known.has(name) && known.add(name));
}

/** A file as this package needs it. */
function lighter(file) {
  const wanted = (name) =>
    !LEFT_OUT.test(name) && (file.name !== ENVELOPE || name.startsWith("google/")) && name !== "google/protobuf/descriptor.proto";
  file.dependency = file.dependency.filter(wanted);
  file.publicDependency = [];
  file.options = undefined;
  for (const service of file.service) {
    service.options = undefined;
    for (const method of service.method) method.options = undefined;
  }
  for (const type of file.enumType) for (const value of type.value) value.options = undefined;
  for (const message of file.messageType) lighterMessage(message, file.name === ENVELOPE);
  return file;
}

function lighterMessage(message, envelope) {
  message.field = message.field.filter(({ typeName }) => !typeName.startsWith(".heliopause.slingshot."));
  for (const field of message.field) {
    // What the contract says of a field to the engine is not known here, and so it goes.
    if (field.options)
      field.options = create(FieldOptionsSchema, { deprecated: field.options.deprecated, packed: field.options.packed });
    if (envelope && field.type === FieldDescriptorProto_Type.MESSAGE) {
      field.type = FieldDescriptorProto_Type.BYTES;
      field.typeName = "";
    }
  }
  for (const type of message.enumType) for (const value of type.value) value.options = undefined;
  for (const nested of message.nestedType) lighterMessage(nested, envelope);
}

const scratch = mkdtempSync(join(tmpdir(), "heliopause-"));
try {
  const image = join(scratch, "contract.binpb");
  writeFileSync(
    image,
    toBinary(FileDescriptorSetSchema, { $typeName: "google.protobuf.FileDescriptorSet", file: contract(scratch).map(lighter) }),
  );
  buf("generate", image, "--template", "buf.gen.yaml");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
