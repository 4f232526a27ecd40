// Bots and clients for Heliopause, in Node.js and browsers.

export { isOver } from './apply.js';
export {
  Bot,
  type BotOptions,
  type Choose,
  type OnFault,
  type VoteHandler,
  type WorkOptions,
} from './bot.js';
export { type ListenOptions, type Retry, randomId } from './calls.js';
export { type ConnectOptions, collect, connect, Engine } from './engine.js';
export { atRandom } from './levels.js';
export {
  type GivenOptions,
  type GivenPosition,
  type ListOptions,
  Lobby,
  type LobbyState,
  type NewAnalysis,
  type NewGame,
  type NewSandbox,
} from './lobby.js';
export type { Listener } from './observable.js';
export {
  type Choice,
  type Choices,
  type Cost,
  FillError,
  Offer,
  Offers,
  Slot,
  type SlotKind,
  shareCost,
  shareName,
} from './offers.js';
export type { Answer, Orders, OutgoingMessage, Reply } from './orders.js';
export { Random } from './random.js';
export { type Reason, Refused, Unreachable } from './refused.js';
export { Sandbox } from './sandbox.js';
export { Seat } from './seat.js';
export { type Occupant, occupantName, occupantOf } from './seats.js';
export {
  type At,
  type ConnectionState,
  type Export,
  type MapOptions,
  type OrderOptions,
  type ReportOptions,
  type SceneOptions,
  Table,
  type TableState,
  type WaitedFor,
} from './table.js';
