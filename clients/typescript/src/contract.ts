// The messages, enums and services of the contract, re-exported from generated code.

export * from '../gen/heliopause/v1/admin_pb.js';
export * from '../gen/heliopause/v1/analysis_pb.js';
export * from '../gen/heliopause/v1/automation_pb.js';
export * from '../gen/heliopause/v1/chat_pb.js';
export * from '../gen/heliopause/v1/envelope_pb.js';
export * from '../gen/heliopause/v1/errors_pb.js';
export * from '../gen/heliopause/v1/event_pb.js';
export * from '../gen/heliopause/v1/game_master_pb.js';
export * from '../gen/heliopause/v1/game_pb.js';
export * from '../gen/heliopause/v1/offer_pb.js';
export * from '../gen/heliopause/v1/player_pb.js';
export * from '../gen/heliopause/v1/profile_pb.js';
export * from '../gen/heliopause/v1/quick_play_pb.js';
export * from '../gen/heliopause/v1/sandbox_pb.js';
export * from '../gen/heliopause/v1/scene_pb.js';
export * from '../gen/heliopause/v1/sign_in_pb.js';
export * from '../gen/heliopause/v1/table_pb.js';
export * from '../gen/heliopause/v1/tournament_pb.js';
