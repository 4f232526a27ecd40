// The contract's messages used by the page. Messages of single games are not decoded.

export * from '@heliopause/client/contract';
