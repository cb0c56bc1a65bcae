import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { type PromptGiven, testService } from '../helpers/local-service.ts'

/** Slugs that locales and UTF-16 sort otherwise than code points do, and texts of every kind. */
const PROMPTS: readonly PromptGiven[] = 'z Z ä a i I ı İ ch cz 10 9 \uffff 😀 a-b a_b é e\u0301'
  .split(' ')
  .map((slug, index) => ({
    slug,
    version: `v${index}`,
    folder: slug.toUpperCase(),
    temperature: 0.1 + index / 7,
    system: HOSTILE.slice(index * 3, index * 3 + 3).join(' {{ größe }} '),
    user: `{{ ${'zäaI'.charAt(index % 4)}${index} }}`,
  }))

/** Where and how a pull is run, as far as nothing of it may be seen in what is written. */
interface CommandContext {
  readonly env?: Readonly<Record<string, string>>
  readonly list?: (prompts: readonly PromptGiven[]) => PromptGiven[]
  /** From a folder within the project. */
  readonly inside?: true
}

/** The lock, the declarations, their map and a generated folder, made in such an environment. */
async function made({ env = {}, list, inside }: CommandContext): Promise<Record<string, string>> {
  const service = await testService(list?.(PROMPTS) ?? PROMPTS)
  const root = await folderWith()
  const elsewhere = join(await folderWith(), 'ä b')
  await mkdir(elsewhere)
  const cwd = inside ? root : elsewhere
  const call = { cwd, env: { ...service.live, ...env } }
  for (const args of [['pull'], ['generate', '--out-dir', join(root, 'out')]]) {
    const run = await prompts([...args, '--root', root], call)
    expect(run).toMatchObject({ code: 0 })
  }
  return filesIn(root)
}

const OTHERS: readonly CommandContext[] = [
  {
    env: { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' },
    list: (listed) => listed.toReversed(),
    inside: true,
  },
  {
    env: { TZ: 'Pacific/Apia', LANG: 'C', LC_ALL: 'C' },
    list: (listed) => [...listed.slice(7), ...listed.slice(0, 7)],
  },
]

test('time zone, language, folder and order do not change lock, declarations, map and module', async () => {
  const files = await made({ env: { TZ: 'UTC', LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' } })
  const names = ['out/definitions.js', 'prompts.d.ts', 'prompts.d.ts.map', 'prompts.lock.json']
  expect(Object.keys(files)).toEqual(expect.arrayContaining(names))
  for (const other of OTHERS) expect(await made(other)).toStrictEqual(files)
})
