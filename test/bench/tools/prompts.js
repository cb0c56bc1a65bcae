import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'

/** The variables of every prompt here. */
export const VARIABLES = ['ticket', 'customer_name', 'product', 'tone', 'history']

const SENTENCES = [
  'You sort the tickets of a support desk and answer with one label.',
  'Read the whole conversation before you decide, and weigh the newest message most.',
  'Never promise a refund; say that a colleague will look at the order.',
  'Quote the sentence that led to your decision in the field called "evidence".',
  'If the customer is upset, name that first and keep every sentence short.',
  'Answer in the language of the ticket, with plain words and without jargon.',
]

/**
 * Prompts of 2 KB with five variables in a system and a user text, the same on every machine.
 *
 * @param edit - changes a prompt by its index
 */
export function makePrompts(count, edit = (prompt) => prompt) {
  return Array.from({ length: count }, (_, index) => edit(makePrompt(index), index))
}

const AREAS = ['support', 'billing', 'search', 'onboarding', 'quality', 'sales', 'legal', 'ops']

function makePrompt(index) {
  const area = AREAS[index % AREAS.length]
  const slug = `${area}-triage-${String(index).padStart(5, '0')}`
  const system = fill(
    `# Prompt ${index}\n\nProduct: {{ product }}. Tone: {{tone}}.\n\n`,
    'Known history of the customer: {{ history }}\n',
    1600,
    index,
  )
  const user = fill(
    `Ticket {{ticket}} of {{ customer_name }}:\n\n`,
    'Which label fits best?',
    444,
    index + 3,
  )
  return {
    slug,
    folder: `${area}/tickets`,
    model: 'gpt-5.1',
    temperature: (index % 10) / 10,
    version: `v${(index % 40) + 1}`,
    system,
    user,
  }
}

function fill(start, end, length, seed) {
  let text = start
  for (let index = seed; text.length + end.length < length; index++) {
    text += `${SENTENCES[index % SENTENCES.length]}\n`
  }
  return text.slice(0, length - end.length) + end
}

/** The camelCase of the slugs above. */
export function identifierOf(slug) {
  return slug.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
}

/** Writes a lock as `prompts pull` does. */
export async function writeLock(path, prompts) {
  await writeFile(path, printLock(prompts))
}

/** The text of a lock of live parts. A hash is over the slug and the other lines of its part. */
export function printLock(prompts) {
  const sorted = prompts.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
  const lock = { lockVersion: 1, prompts: sorted.map(entryOf) }
  return `${JSON.stringify(lock, undefined, 2)}\n`
}

function entryOf({ slug, folder, model, temperature, version, system, user }) {
  const head = { version, folder, model, temperature }
  const part = { ...head, system: linesOf(system), user: linesOf(user), join: '\n\n' }
  const printed = JSON.stringify(part, undefined, 2).slice(0, -'\n}'.length)
  const bytes = `live ${JSON.stringify(slug)}\n${printed}`
  const integrity = `sha256-${createHash('sha256').update(bytes).digest('base64')}`
  return { slug, live: { ...part, integrity } }
}

function linesOf(text) {
  return text === '' ? [] : `${text}\n`.split('\n')
}
