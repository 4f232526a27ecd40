// The chat of a game: the lines of its channels, muted seats, and spectators.

import { computed, signal } from '@preact/signals';
import { chat } from '../engine/calls-table';
import { ChatChannel, type ChatLine, type ListSpectatorsResponse } from '../engine/contract';
import { recall, remember } from '../engine/storage';
import { me } from '../session';

const PAGE = 50;
/** The number of lines that the page keeps. */
const KEPT = 500;

/** A channel of a game's chat. */
export class Room {
  readonly game: string;
  readonly channel: ChatChannel;
  readonly lines = signal<readonly ChatLine[]>([]);
  readonly canRead = signal(false);
  readonly canWrite = signal(false);
  readonly hasEarlier = signal(false);
  /** The number of the last line that the player has seen. */
  private readonly seen = signal(0n);
  readonly unread = computed(() => {
    const { value } = this.seen;
    return this.lines.value.filter((line) => line.number > value && !isOwn(line)).length;
  });
  private next = '';

  constructor(game: string, channel: ChatChannel) {
    this.game = game;
    this.channel = channel;
    this.seen.value = BigInt(recall(this.stored, '0'));
  }

  private get stored(): string {
    return `chat/${this.game}/${this.channel}`;
  }

  receive(line: ChatLine): void {
    this.canRead.value = true;
    this.add([line]);
  }

  private add(lines: readonly ChatLine[]): void {
    const all = new Map(this.lines.value.map((line) => [line.number, line]));
    for (const line of lines) all.set(line.number, line);
    const sorted = [...all.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
    this.lines.value = sorted.slice(-KEPT);
  }

  /** Reads the latest lines. Discards the known ones if `again`, for example after muting. */
  async load(again = false): Promise<void> {
    const request = { gameId: this.game, channel: this.channel, pageSize: PAGE };
    const page = await chat.listChat(request);
    this.canRead.value = page.canRead;
    this.canWrite.value = page.canWrite;
    if (again || !page.canRead) this.lines.value = [];
    if (this.lines.value.length === 0) this.follow(page.nextPageToken);
    this.add(page.lines);
  }

  /** Reads the page of lines before the known ones. */
  async readEarlier(): Promise<void> {
    const request = { gameId: this.game, channel: this.channel, pageSize: PAGE };
    const page = await chat.listChat({ ...request, pageToken: this.next });
    this.follow(page.nextPageToken);
    this.add(page.lines);
  }

  private follow(next: string): void {
    this.next = next;
    this.hasEarlier.value = next !== '';
  }

  async write(text: string): Promise<void> {
    const { line } = await chat.writeChat({ gameId: this.game, channel: this.channel, text });
    if (line) this.receive(line);
  }

  /** Notes that the player has seen all lines. */
  look(): void {
    const last = this.lines.value.at(-1)?.number ?? 0n;
    if (last <= this.seen.value) return;
    this.seen.value = last;
    remember(this.stored, String(last));
  }
}

/** Returns whether the player wrote a line. */
export function isOwn(line: ChatLine): boolean {
  return line.playerId !== '' && line.playerId === me.value?.playerId;
}

export class Chat {
  readonly game: string;
  readonly rooms: readonly Room[];
  /** The seats whose messages the player hides. */
  readonly mutedSeats = signal<ReadonlySet<number>>(new Set());
  readonly spectators = signal<ListSpectatorsResponse | undefined>(undefined);
  /** The number of lines in all rooms that the player has not seen. */
  readonly unread = computed(() => this.rooms.reduce((sum, room) => sum + room.unread.value, 0));

  constructor(game: string) {
    this.game = game;
    this.rooms = [new Room(game, ChatChannel.TABLE), new Room(game, ChatChannel.SPECTATORS)];
  }

  receive(line: ChatLine): void {
    this.rooms.find((room) => room.channel === line.channel)?.receive(line);
  }

  /** Reads the latest lines. A failure leaves the known ones, and the next event tries again. */
  async load(again = false): Promise<void> {
    const mutes = me.value ? chat.listMutes({ gameId: this.game }) : undefined;
    try {
      const [found] = await Promise.all([mutes, ...this.rooms.map((room) => room.load(again))]);
      this.mutedSeats.value = new Set(found?.seats);
    } catch {
      // The table shows errors of the game itself.
    }
  }

  async loadSpectators(): Promise<void> {
    try {
      this.spectators.value = await chat.listSpectators({ gameId: this.game });
    } catch {
      // The list is read again soon.
    }
  }

  /** Hides the lines and messages of a player, who is named by id, or by the seat. */
  async mute(playerId: string, seat: number | undefined): Promise<void> {
    const who =
      playerId === '' && seat !== undefined
        ? { case: 'seat' as const, value: { gameId: this.game, seat } }
        : { case: 'player' as const, value: playerId };
    await chat.mutePlayer({ who });
    await this.load(true);
  }

  async unmuteSeat(seat: number): Promise<void> {
    await chat.unmutePlayer({ who: { case: 'seat', value: { gameId: this.game, seat } } });
    await this.load(true);
  }
}
