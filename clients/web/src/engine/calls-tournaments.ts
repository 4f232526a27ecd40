// Calls of tournaments, which the first load does not need.

import { engine } from './calls';
import { TournamentService } from './contract';

export const tournaments = engine.client(TournamentService);
