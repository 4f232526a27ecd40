// Calls of tables, tutorials and the sandbox, which the first load does not need.

import { engine } from './calls';
import { AnalysisService, ChatService, GameMasterService, SandboxService } from './contract';

export const analyses = engine.client(AnalysisService);
export const chat = engine.client(ChatService);
export const master = engine.client(GameMasterService);
export const sandbox = engine.client(SandboxService);
