// What a beginner can do in each phase of each game.

export interface Guidance {
  /** The name under which the browser keeps that the player knows the phase. */
  key: string;
  /** What the phase is for, and what players usually do. */
  text: string;
  /** How the phase ends for the player. */
  end: string;
}

/** Texts by the kind of decision; of several, the first whose start the prompt has. */
type Phases = Readonly<
  Record<string, readonly (readonly [start: string, text: string, end: string])[]>
>;

const READY = 'When you are done, press “I am ready”. Until then, you can change everything.';
const MOVEMENT_END = 'End your movement with the button above the possible orders.';

const CONQUEST: Phases = {
  setup: [
    [
      '',
      'Choose what your fleet starts with. The default start is a good one: faster ships pay off in every turn.',
      READY,
    ],
  ],
  turn: [
    [
      'Move',
      'Move your ships to stars: scouts far out, transports with a corvette to yellow stars, which have the best planets. Click ships on the map, then a star. Your ships explore where they stop.',
      MOVEMENT_END,
    ],
    [
      'Choose where',
      'Your ships meet enemies at several stars. Choose which battle comes first.',
      'The turn continues after the last battle.',
    ],
    [
      '',
      'Land transports on the best planet, and set up a command post at each star with a colony. With a warship, you can attack colonies of others.',
      'Then end your turn with the button above the possible orders.',
    ],
  ],
  battle: [
    [
      '',
      'Your ships fight. Choose a target for each warship, or fire as your standing orders say: that is usually right. After each round, ships may withdraw.',
      'The battle ends when one side is gone.',
    ],
  ],
  production: [
    [
      '',
      'Your colonies yield industry points (i.p.). Spend them on ships, factories and research, and let people emigrate to new planets. Early on, faster ships and Industrial Technology are worth the most. What you do not spend is lost.',
      READY,
    ],
  ],
};

const FATE: Phases = {
  ...CONQUEST,
  setup: [
    [
      '',
      'Choose your commission: ships for 15 points, and two technologies. The default start is a good one.',
      READY,
    ],
  ],
  campaign: [
    [
      '',
      'The Empire demands ships. Choose ships that you need least, such as scouts; they must be worth what is demanded.',
      'The turn continues with your choice.',
    ],
  ],
};

const SPACE: Phases = {
  ...CONQUEST,
  turn: [
    [
      'Move',
      'Send scouts to unclaimed stars: each star that you explore first is yours. Transports go where policy sends them; the list shows these stars. In a clash you may raid.',
      MOVEMENT_END,
    ],
    ...(CONQUEST['turn'] ?? []).slice(1),
  ],
  production: [
    [
      '',
      'Dice have decided what comes first. You only choose how much your colonies spend on it. “Follow only the decree” is always possible.',
      READY,
    ],
  ],
  campaign: [
    [
      '',
      'Your ships cannot stay where they are. Choose a hex beside the star, and where they go next.',
      'The turn continues with your choice.',
    ],
  ],
};

const EUROPE: Phases = {
  movement: [
    [
      '',
      'Give each unit an order: click the unit, then where it goes. Take neutral centers first, support attacks with a second unit, and talk to your neighbors: all orders are resolved at once. Units without an order hold.',
      READY,
    ],
  ],
  retreat: [
    [
      '',
      'A stronger attack has dislodged a unit of yours. Choose where it retreats, or disband it to build another one later.',
      READY,
    ],
  ],
  adjustment: [
    [
      '',
      'Each supply center feeds one unit. Build in free home centers if you have more centers than units; otherwise choose the units to remove.',
      READY,
    ],
  ],
};

const ORBIT: Phases = {
  ...EUROPE,
  movement: [
    [
      '',
      'Beam armies down from orbit, move those that have landed, or found colonies, where others cannot land. Own supply centers at the end of the fall. All orders are resolved at once.',
      READY,
    ],
  ],
  adjustment: [
    [
      '',
      'Build in supply centers that are your colonies and empty, if you have more centers than units. Otherwise choose the units to remove.',
      READY,
    ],
  ],
};

const GAMES: Readonly<Record<string, Phases>> = {
  'stellar-conquest': CONQUEST,
  'fate-of-empire': FATE,
  'alone-in-outer-space': SPACE,
  diplomacy: EUROPE,
  'it-came-from-outer-space': ORBIT,
  'star-empires': {
    orders: [
      [
        '',
        'Fill in your sheet for the whole turn. At first, build a probe to see more and a gunship to take a free world, and move ships to worlds nearby: a world belongs to the only empire with an armed ship there.',
        READY,
      ],
    ],
  },
  'starships-at-large': {
    turn: [
      [
        '',
        'First build the starships that your planets sponsor. Then move each starship once, to a hex that nobody knows yet, and colonize the planets that you find. Unfriendly planets are taken by diplomacy or force.',
        'End your turn with the button above the possible orders.',
      ],
    ],
    battle: [
      [
        '',
        'The round was without a loss. Fight on if you are the stronger side, or withdraw.',
        'The battle ends when one side is gone.',
      ],
    ],
    sponsors: [
      [
        '',
        'Each planet that you own sponsors one starship. Remove those that you need least.',
        'The turn continues with your choice.',
      ],
    ],
    word: [
      ['', 'A pledge was broken. Choose the penalty.', 'The turn continues with your choice.'],
    ],
    'death-star': [
      [
        '',
        'You play the Death Star: place Death Zones near the strongest player.',
        'Stop when you have placed enough.',
      ],
    ],
  },
};

/** Returns what to tell a beginner about a decision; undefined if the game has no text for it. */
export function guidanceFor(kind: string, decision: string, prompt: string): Guidance | undefined {
  const phases = GAMES[kind]?.[decision] ?? [];
  const at = phases.findIndex(([start]) => prompt.startsWith(start));
  const [, text, end] = phases[at] ?? [];
  if (text === undefined || end === undefined) return undefined;
  return { key: `${kind}/${decision}/${at}`, text, end };
}
