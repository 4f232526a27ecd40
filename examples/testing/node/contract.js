// The clients of an engine, read from the contract: no code is generated.
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const root = fileURLToPath(new URL("../../../proto", import.meta.url));
const files = ["player", "game", "sandbox"].map((name) => `heliopause/v1/${name}.proto`);
const definition = loadSync(files, { includeDirs: [root], keepCase: true, enums: String, longs: String, oneofs: true });
const { heliopause } = grpc.loadPackageDefinition(definition);

// The calls of an account. Without a token only Register is answered.
export class Calls {
  constructor(address, token) {
    const { PlayerService, GameService, SandboxService } = heliopause.v1;
    this.clients = [PlayerService, GameService, SandboxService].map(
      (Service) => new Service(address, grpc.credentials.createInsecure()),
    );
    this.metadata = new grpc.Metadata();
    if (token) this.metadata.set("authorization", `Bearer ${token}`);
  }

  client(method) {
    return this.clients.find((client) => client[method]);
  }

  call(method, request = {}) {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + 30_000 };
      const done = (error, answer) => (error ? reject(error) : resolve(answer));
      this.client(method)[method](request, this.metadata, options, done);
    });
  }

  stream(method, request, options = {}) {
    return this.client(method)[method](request, this.metadata, options);
  }

  close() {
    for (const client of this.clients) client.close();
  }
}
