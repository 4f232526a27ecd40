// Chat at a table, comments of spectators, muting, and reports to the operator.

import { ChatChannel } from '@heliopause/client/contract';
import type { Page } from '@playwright/test';
import { expect, openFor, type Place, test } from './support/fixtures';
import { duel, type Person, person } from './support/people';

const line = (page: Page, text: string) => page.locator('.chat-lines li', { hasText: text });

/** Opens the chat: spectators have a tab for it, and players have it among their messages. */
async function showChat(page: Page): Promise<void> {
  const messages = page.getByRole('tab', { name: /^Messages/ });
  const tab = page.getByRole('tab', { name: /^Chat/ });
  await messages.or(tab).click();
  if (await messages.isVisible()) await page.getByRole('button', { name: /^Chat/ }).click();
}

async function openChat(page: Page, place: Place, who: Person, game: string): Promise<void> {
  await openFor(page, place, who, `/game/${game}`);
  await showChat(page);
}

async function say(page: Page, room: string, text: string): Promise<void> {
  await page.getByLabel(`Line to ${room}`).fill(text);
  await page.getByLabel(`Line to ${room}`).press('Enter');
  await expect(line(page, text)).toHaveClass(/own/);
}

async function draw(ann: Person, bob: Person, gameId: string): Promise<void> {
  const { vote } = await ann.games.proposeVote({ gameId, subject: 1 });
  await bob.games.castVote({ gameId, vote: vote?.number ?? 0n, yes: true });
}

test('players talk at the table, and spectators apart from them', async ({
  elsewhere: other,
  page,
  place,
}) => {
  const [ann, bob, carl] = [await place.newcomer(), await place.newcomer(), await place.newcomer()];
  const game = await duel(ann, bob, 'stellar-conquest', `Talk of ${ann.name}`);
  await openChat(page, place, ann, game);
  await openChat(other, place, carl, game);
  await say(page, 'Players', 'Good luck!');
  await say(other, 'Spectators', 'She wins.');
  await expect(line(other, 'Good luck!')).toHaveCount(0);
  await expect(line(page, 'She wins.')).toHaveCount(0);
  await expect(other.getByText('Players can read this when the game is over.')).toBeVisible();

  // A line of the other player arrives live. A badge counts lines in another tab.
  await page.getByRole('tab', { name: 'Table' }).click();
  const table = { gameId: game, channel: ChatChannel.TABLE };
  await bob.chat.writeChat({ ...table, text: '<b>Thanks</b> & \u{1f642}' });
  const tab = page.getByRole('tab', { name: /^Messages/ });
  await expect(tab.locator('.badge')).toHaveText('1');
  await showChat(page);
  await expect(line(page, '<b>Thanks</b> & \u{1f642}')).toBeVisible();
  await expect(tab.locator('.badge')).toHaveCount(0);
  await expect(page.getByText('1 spectator')).toBeVisible();

  await draw(ann, bob, game);
  await expect(page.locator('section.end')).toBeVisible();
  await showChat(page);
  await page.getByRole('tab', { name: /^Spectators/ }).click();
  await expect(line(page, 'She wins.')).toBeVisible();
  await other.getByRole('tab', { name: /^Chat/ }).click();
  await other.getByRole('tab', { name: /^Players/ }).click();
  await expect(line(other, 'Good luck!')).toBeVisible();
});

test('a muted player is hidden, in the chat and among the messages', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const game = await duel(ann, bob, 'stellar-conquest', `Noise for ${ann.name}`);
  const table = { gameId: game, channel: ChatChannel.TABLE };
  await bob.chat.writeChat({ ...table, text: 'bla bla' });
  await bob.games.sendMessage({ gameId: game, toAll: true, text: 'A noisy letter.' });
  await openChat(page, place, ann, game);
  await page.getByLabel(`Menu of ${bob.name}`).click();
  await page.getByRole('button', { name: `Mute ${bob.name}` }).click();
  await expect(line(page, 'bla bla')).toHaveCount(0);
  await bob.chat.writeChat({ ...table, text: 'still talking' });
  await say(page, 'Players', 'Silence at last.');
  await expect(line(page, 'still talking')).toHaveCount(0);
  await page.getByRole('button', { name: '← All messages' }).click();
  await expect(page.getByText('A noisy letter.')).toHaveCount(0);
  await page.getByRole('button', { name: /^Unmute/ }).click();
  await expect(page.getByText('A noisy letter.')).toBeVisible();
});

test('a report reaches the operator, who removes the line and silences the player', async ({
  elsewhere: operator,
  page,
  place,
}) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const game = await duel(ann, bob, 'stellar-conquest', `Trouble of ${ann.name}`);
  const table = { gameId: game, channel: ChatChannel.TABLE };
  await bob.chat.writeChat({ ...table, text: 'You are a <i>fool</i>.' });
  await openChat(page, place, ann, game);
  await page.getByLabel(`Menu of ${bob.name}`).click();
  await page.getByRole('button', { name: `Report ${bob.name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Comment').fill('He insults me.');
  await dialog.getByRole('button', { name: 'Report' }).click();
  await expect(dialog.getByRole('status')).toContainText('The operator will see');
  await dialog.getByRole('button', { name: 'Close' }).click();

  const { engine } = place;
  const admin = person(engine.url, 'admin', engine.token('admin'));
  await openFor(operator, place, admin, '/operator/reports');
  const report = operator.getByRole('article', { name: `Report of ${bob.name}` });
  await expect(report).toContainText('You are a <i>fool</i>.');
  await expect(report).toContainText('He insults me.');
  await expect(report).toContainText(ann.name);
  await report.getByLabel('Time', { exact: true }).selectOption('1 hour');
  await report.getByLabel('Reason, shown to the player').fill('insults');
  await report.getByRole('button', { name: 'Silence', exact: true }).click();
  await expect(report.getByRole('status')).toContainText('Silenced until');
  await expect(bob.chat.writeChat({ ...table, text: 'But' })).rejects.toThrow(/insults/);
  await expect(bob.games.sendMessage({ gameId: game, toAll: true, text: 'But' })).rejects.toThrow(
    /silenced/,
  );
  await report.getByRole('button', { name: `Allow ${bob.name} to write` }).click();
  await expect(async () => {
    await bob.chat.writeChat({ ...table, text: 'I am sorry.' });
  }).toPass();
  await report.getByLabel('Remove the line').check();
  await report.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(report).toHaveCount(0);
  await operator.getByLabel('Show resolved reports').check();
  await expect(report).toContainText('Resolved by admin');

  await page.reload();
  await showChat(page);
  await expect(line(page, 'I am sorry.')).toBeVisible();
  await expect(line(page, 'removed by the operator')).toBeVisible();
  await expect(page.getByText('fool')).toHaveCount(0);
});

test('the chat of a table without press is closed', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const game = await duel(ann, bob, 'diplomacy', `Gunboat of ${ann.name}`, {
    press: 'PRESS_RULE_NONE',
  });
  await openChat(page, place, ann, game);
  await expect(page.getByText('You cannot write here now.')).toBeVisible();
  await expect(page.getByLabel('Line to Players')).toHaveCount(0);
});
