// Generates the messages and services in gen/ from the contract in ../../proto. `npm ci` and
// `npm run build` run it.
//
// The output differs from that of plain buf in three ways. The wire format is the same. The first
// two keep pages small:
//
// - A game's own messages (options, orders, events, views and positions) are bytes in the envelope.
//   Bytes have the same encoding as nested messages. src/games decodes them.
// - Options of calls and fields (limits, rights) are omitted, because only the engine uses them.
// - Slingshot, the example for authors of games, is omitted.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Type,
  FieldOptionsSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

const HERE = import.meta.dirname;
const ENVELOPE = 'heliopause/v1/envelope.proto';
const LEFT_OUT = /^heliopause\/(limits|rights|slingshot)\//;

const buf = (...args) =>
  execFileSync(join(HERE, 'node_modules/.bin/buf'), args, {
    cwd: HERE,
    stdio: ['ignore', 'inherit', 'inherit'],
  });

/** Returns the descriptors of all files. */
function contract(scratch) {
  const file = [];
  for (const [at, folder] of [join(HERE, '../../proto'), join(HERE, 'proto')].entries()) {
    const image = join(scratch, `${at}.binpb`);
    buf('build', folder, '--output', image);
    file.push(...fromBinary(FileDescriptorSetSchema, readFileSync(image)).file);
  }
  const known = new Set();
  return file.filter(({ name }) => !LEFT_OUT.test(name) && !known.has(name) && known.add(name));
}

/** Removes everything from a file that this package does not need. */
function lighter(file) {
  const wanted = (name) =>
    !LEFT_OUT.test(name) &&
    (file.name !== ENVELOPE || name.startsWith('google/')) &&
    name !== 'google/protobuf/descriptor.proto';
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
  message.field = message.field.filter(
    ({ typeName }) => !typeName.startsWith('.heliopause.slingshot.'),
  );
  for (const field of message.field) {
    // The package uses only these options of fields.
    if (field.options)
      field.options = create(FieldOptionsSchema, {
        deprecated: field.options.deprecated,
        packed: field.options.packed,
      });
    if (envelope && field.type === FieldDescriptorProto_Type.MESSAGE) {
      field.type = FieldDescriptorProto_Type.BYTES;
      field.typeName = '';
    }
  }
  for (const type of message.enumType) for (const value of type.value) value.options = undefined;
  for (const nested of message.nestedType) lighterMessage(nested, envelope);
}

const scratch = mkdtempSync(join(tmpdir(), 'heliopause-'));
try {
  const image = join(scratch, 'contract.binpb');
  writeFileSync(
    image,
    toBinary(FileDescriptorSetSchema, {
      $typeName: 'google.protobuf.FileDescriptorSet',
      file: contract(scratch).map(lighter),
    }),
  );
  buf('generate', image, '--template', 'buf.gen.yaml');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
