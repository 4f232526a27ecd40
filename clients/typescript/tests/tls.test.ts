// Connections with TLS.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Unreachable } from '@heliopause/client';
import { EngineProcess } from '@heliopause/client/testing';
import { expect, onTestFinished, test } from 'vitest';

function certificate(folder: string, name: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const args =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
  execFileSync('openssl', [...args.split(' '), '-out', cert, '-keyout', key], { stdio: 'ignore' });
  return { cert, key };
}

test('only clients that trust the authority connect', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heliopause-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { cert, key } = certificate(folder, 'engine');
  const other = certificate(folder, 'other');
  const engine = await new EngineProcess(folder, ['--tls-cert', cert, '--tls-key', key]).start();
  onTestFinished(() => engine.stop());
  const url = `https://${engine.address}`;
  using client = connect(url, { tls: { ca: readFileSync(cert, 'utf8') } });
  expect((await client.register('Ada')).name).toBe('Ada');
  for (const tls of [{ ca: readFileSync(other.cert) }, undefined]) {
    using wary = connect(url, { tls, token: client.token, patience: 0 });
    await expect(wary.me()).rejects.toBeInstanceOf(Unreachable);
  }
  using plain = connect(engine.address, { token: client.token, patience: 0 });
  await expect(plain.me()).rejects.toBeInstanceOf(Unreachable);
});
