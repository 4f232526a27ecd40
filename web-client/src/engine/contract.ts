// The contract's messages, as the page uses them. A game's own messages stay bytes: the page knows none.

export * from '@heliopause/client/contract';
