#!/usr/bin/env node
// Makes the messages and services in gen/ from the contract in ../../proto.
//
//     npm ci
//     ./generate.mjs            writes gen/
//     ./generate.mjs --check    only looks whether what is there is current
//
// gen/ is committed: an installation from a checkout needs no compiler, and a change of the contract shows as a change here.
//
// Two things differ from what buf makes of the contract by itself. Both keep a page small, and neither changes a byte on the wire:
//
// - What a game alone knows (its options, orders, events, views and positions) is bytes in the envelope. On the wire a message
//   within a message is nothing else. So the client of all games knows none of them, and src/games reads the bytes of one.
// - The options of calls and fields (limits, rights) are for the engine, and are left out.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FieldDescriptorProto_Type, FieldOptionsSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const HERE = import.meta.dirname;
const ENVELOPE = "heliopause/v1/envelope.proto";
const FOR_THE_ENGINE = /^heliopause\/(limits|rights)\//;

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
  return file.filter(({ name }) => !FOR_THE_ENGINE.test(name) && !known.has(name) && known.add(name));
}

/** A file as this package needs it. */
function lighter(file) {
  const wanted = (name) =>
    !FOR_THE_ENGINE.test(name) &&
    (file.name !== ENVELOPE || name.startsWith("google/")) &&
    name !== "google/protobuf/descriptor.proto";
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

/** Every generated file, by its path within gen/. */
function files(folder) {
  const found = new Map();
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(relative(folder, path), readFileSync(path, "utf8"));
  }
  return found;
}

const check = process.argv[2] === "--check";
if (process.argv.length > 2 && !check) throw new Error("usage: generate.mjs [--check]");
const scratch = mkdtempSync(join(tmpdir(), "heliopause-"));
try {
  const image = join(scratch, "contract.binpb");
  writeFileSync(
    image,
    toBinary(FileDescriptorSetSchema, { $typeName: "google.protobuf.FileDescriptorSet", file: contract(scratch).map(lighter) }),
  );
  const there = files(join(HERE, "gen"));
  const out = check ? scratch : HERE;
  buf("generate", image, "--template", "buf.gen.yaml", "--output", out);
  const made = files(join(out, "gen"));
  const different = [...new Set([...made.keys(), ...there.keys()])].filter((path) => made.get(path) !== there.get(path)).sort();
  if (!check) {
    console.log(`${made.size} files written, ${different.length} of them differ from before`);
  } else if (different.length > 0) {
    console.error(["these differ from the contract; run clients/typescript/generate.mjs:", ...different].join("\n  "));
    process.exitCode = 1;
  } else {
    console.log(`${made.size} generated files are current`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
