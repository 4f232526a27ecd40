// The contract's messages, as the page uses them.

export * from '../gen/heliopause/v1/admin_pb';
export * from '../gen/heliopause/v1/envelope_pb';
export * from '../gen/heliopause/v1/event_pb';
export * from '../gen/heliopause/v1/game_pb';
export * from '../gen/heliopause/v1/offer_pb';
export * from '../gen/heliopause/v1/player_pb';
export * from '../gen/heliopause/v1/sandbox_pb';
export * from '../gen/heliopause/v1/table_pb';
