// Calls of operators, which the first load does not need.

import { engine } from './calls';
import { AdminService } from './contract';

export const admin = engine.client(AdminService);
