import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { type PromptGiven, testService, type TestService } from '../helpers/local-service.ts'
import { type Reader, READERS } from '../helpers/readers.ts'
import { liveLock, lockOf } from '../helpers/pinned.ts'
import { writeLock } from './app.ts'
import { devServer, outsideOfTests, shortcutRecorder } from './vite-server.ts'

const PULLED = 'Pulled: 1 changed (1 read).'
const PLACE = 'src/main.ts:2:30'

const SAME_VARIABLES = { version: 'v2', system: 'Sort kindly {{ ticket }}' }
const NEEDS_TONE = { version: 'v2', system: 'Sort {{ ticket }} in a {{ tone }} tone' }
const NEEDS_MORE = { version: 'v3', system: 'Sort {{ ticket }} {{ tone }} {{ length }}' }

describe('p + enter in the dev server of Vite', () => {
  test.each(Object.entries(READERS))(
    'pulls an update that breaks nothing at once, from %s',
    async (_, reader) => {
      const { press, serve, lock } = await pressed(reader)
      serve(SAME_VARIABLES)
      expect(await press()).toContain(PULLED)
      expect(await lock()).toContain('"v2"')
    },
  )

  test('shows what an update breaks, and pulls it on the second press only', async () => {
    const { press, serve, lock } = await pressed()
    serve(NEEDS_TONE)
    const first = await press()
    expect(first).toContain(PLACE)
    expect(first).toContain('support-triage')
    expect(first).not.toContain('Pulled')
    expect(await lock()).toContain('"v1"')
    const second = await press()
    expect(second).toContain(PULLED)
    expect(second).not.toContain(PLACE)
    expect(await lock()).toContain('"v2"')
  })

  test('shows what breaks if the lock serves its live versions from now on', async () => {
    const { press, serve, lock, root } = await pressed()
    const slug = 'support-triage'
    const staging = { version: 'v3', system: 'Sort {{ ticket }}' }
    const parts = { live: [{ slug, ...NEEDS_TONE }], staging: [{ slug, ...staging }] }
    await writeLock(root, lockOf({ environment: 'test', ...parts }))
    serve({ ...NEEDS_TONE, staging })
    expect(await press()).toContain(PLACE)
    expect(await lock()).toContain('"environment": "test"')
  })

  test('pulls what was shown, not a newer update', async () => {
    const { press, serve, lock } = await pressed()
    serve(NEEDS_TONE)
    await press()
    serve(NEEDS_MORE)
    expect(await press()).toContain(PULLED)
    expect(await lock()).toContain('"v2"')
  })

  test('ignores a key press during a pull', async () => {
    const { press, serve, lock } = await pressed()
    serve(NEEDS_TONE)
    await Promise.all([press(), press()])
    expect(await lock()).toContain('"v1"')
  })

  test.each<[title: string, change: (root: string) => Promise<void>, said: string]>([
    [
      'the app cannot be analysed',
      (root) => writeFile(join(root, 'tsconfig.json'), '{ "extends": "./no.json" }'),
      'The app was not checked for breaking changes: ',
    ],
    ['no code uses prompts', (root) => rm(join(root, 'src/main.ts')), 'No code uses prompts.'],
  ])('pulls if %s, and says so', async (_, change, said) => {
    const { press, serve, lock, root } = await pressed()
    await change(root)
    serve(NEEDS_TONE)
    const printed = await press()
    for (const part of [said, PULLED]) expect(printed).toContain(part)
    expect(await lock()).toContain('"v2"')
  })
})

interface Pressed {
  readonly root: string
  /** Presses the keys, and returns what the server has printed at the end. */
  press(): Promise<string>
  serve(prompt: Omit<PromptGiven, 'slug'>): void
  lock(): Promise<string>
}

/** A dev server of an app that passes `ticket` to its only prompt. */
async function pressed(reader: Reader = READERS['the built-in service']): Promise<Pressed> {
  outsideOfTests()
  const slug = 'support-triage'
  const root = await appFolder({
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.supportTriage.render({ ticket: 'T' })
`,
    ...reader.files,
  })
  await writeLock(root, liveLock({ slug, version: 'v1', system: 'Sort {{ ticket }}' }))
  const service: TestService = await testService([])
  for (const [name, value] of Object.entries(reader.variables(service))) vi.stubEnv(name, value)
  const { recorder, pulls } = shortcutRecorder()
  const { log } = await devServer(root, {}, { plugins: [recorder] })
  return {
    root,
    async press() {
      const { length } = log
      await pulls[0]?.()
      return log.slice(length).join('\n')
    },
    serve: (prompt) => service.serve({ slug, ...prompt }),
    lock: () => readFile(join(root, 'prompts.lock.json'), 'utf8'),
  }
}
