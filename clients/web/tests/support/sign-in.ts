// A mail server and a provider of OpenID Connect for tests of signing in.

import { createHash } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A mail server that keeps the emails it receives. */
export class MailSink {
  readonly url: string;
  private readonly server: Server;
  private readonly mails: string[];

  private constructor(url: string, server: Server, mails: string[]) {
    this.url = url;
    this.server = server;
    this.mails = mails;
  }

  static async start(): Promise<MailSink> {
    const mails: string[] = [];
    const server = createServer((socket) => converse(socket, mails));
    return new MailSink(`smtp://127.0.0.1:${await listen(server)}`, server, mails);
  }

  /** Waits for the next email and returns its text. */
  async next(): Promise<string> {
    for (let tries = 0; tries < 200; tries += 1) {
      const mail = this.mails.shift();
      if (mail !== undefined) return mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
      await new Promise((later) => setTimeout(later, 50));
    }
    throw new Error('no email came');
  }

  stop(): void {
    this.server.close();
  }
}

function converse(socket: Socket, mails: string[]): void {
  let text = '';
  let isData = false;
  socket.write('220 test\r\n');
  socket.on('error', () => undefined);
  socket.on('data', (part) => {
    text += String(part);
    for (;;) {
      const mark = isData ? '\r\n.\r\n' : '\r\n';
      const end = text.indexOf(mark);
      if (end < 0) return;
      const line = text.slice(0, end);
      text = text.slice(end + mark.length);
      if (isData) mails.push(line);
      isData = !isData && line.toUpperCase() === 'DATA';
      socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
    }
  });
}

export const CLIENT = 'heliopause';

/** A provider whose user is always signed in there. */
export class Provider {
  readonly issuer: string;
  private readonly server: Server;

  private constructor(issuer: string, server: Server) {
    this.issuer = issuer;
    this.server = server;
  }

  static async start(subject: string): Promise<Provider> {
    const logins = new Map<string, URLSearchParams>();
    const web = createHttpServer((request, response) => {
      const url = new URL(request.url ?? '/', issuer);
      const json = (value: unknown) => response.end(JSON.stringify(value));
      if (url.pathname === '/.well-known/openid-configuration') {
        json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
        });
      } else if (url.pathname === '/authorize') {
        const code = `code-${logins.size}`;
        logins.set(code, url.searchParams);
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', code);
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        response.writeHead(302, { location: back.href }).end();
      } else {
        let body = '';
        request.on('data', (part) => (body += String(part)));
        request.on('end', () => {
          const form = new URLSearchParams(body);
          const login = logins.get(form.get('code') ?? '');
          const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
          if (login?.get('code_challenge') !== verifier.digest('base64url')) {
            response.writeHead(400);
            json({ error: 'invalid_grant' });
            return;
          }
          logins.delete(form.get('code') ?? '');
          const exp = Date.now() / 1000 + 60;
          const claims = { iss: issuer, sub: subject, aud: CLIENT, exp, nonce: login.get('nonce') };
          const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
          json({ access_token: 'x', token_type: 'Bearer', id_token: `e30.${payload}.c2ln` });
        });
      }
    });
    const issuer = `http://127.0.0.1:${await listen(web)}`;
    return new Provider(issuer, web);
  }

  stop(): void {
    this.server.close();
  }
}
