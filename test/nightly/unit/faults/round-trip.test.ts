import { readFile, stat } from 'node:fs/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../../../src/core/prompt.ts'
import type { LockStore } from '../../../../src/fs/lock-store.ts'
import { respond } from '../../../../src/local-service/respond.ts'
import type { Workspace } from '../../../../src/local-service/workspace.ts'
import { hostilePrompts } from '../../../helpers/hostile.ts'
import { startLocalServer } from '../../../helpers/local-server.ts'
import { runLock } from '../../../helpers/run-modules.ts'
import { workspaceOf } from '../../../helpers/scripted-service.ts'
import { openTestProject } from '../../../helpers/project.ts'
import { pull } from '../../../helpers/pull.ts'
import { sweep } from '../../../helpers/sweep.ts'

const KEY = 'svc_live_local'

/** Slugs that no URL can carry are refused, which is another test. */
const servable = hostilePrompts.map((prompts) =>
  prompts.filter(({ slug }) => !['', '.', '..'].includes(slug)),
)

/** A service whose workspace is another one for each run. */
async function changingService(): Promise<{ url: string; serve: (workspace: Workspace) => void }> {
  let workspace = workspaceOf()
  const url = await startLocalServer(({ url: path = '', method = '', headers }, response) => {
    const { authorization } = headers
    const { status, headers: head, body } = respond({ method, path, authorization }, workspace)
    response.writeHead(status, head).end(body)
  })
  return { url, serve: (next) => void (workspace = next) }
}

/** Everything that hangs on the prototypes of this process. */
function prototypes(): unknown[] {
  return [Object, Array, Function, String, Promise, Map].map(({ prototype }) =>
    Reflect.ownKeys(prototype).map((key) => [
      key,
      Reflect.getOwnPropertyDescriptor(prototype, key)?.value,
    ]),
  )
}

test('whatever is served runs in the app byte for byte, and a second pull writes nothing', async () => {
  const { url, serve } = await changingService()
  const { project } = await openTestProject({ options: { baseUrl: url, apiKey: KEY, dts: false } })
  const { lock } = project
  const request = { allowReplace: true }
  const before = prototypes()
  await fc.assert(
    fc.asyncProperty(servable, async (prompts) => {
      serve(workspaceOf(...prompts))
      await pull(project, request)
      const [text, { ino }] = [await readFile(lock.path), await stat(lock.path)]
      serve(workspaceOf(...prompts.toReversed()))
      expect((await pull(project, request)).outcome).toBe('unchanged')
      expect((await readFile(lock.path)).equals(text)).toBe(true)
      expect((await stat(lock.path)).ino).toBe(ino)
      await expectInApp(prompts, lock)
    }),
    sweep(20),
  )
  expect(prototypes()).toEqual(before)
})

async function expectInApp(prompts: readonly PinnedPrompt[], lock: LockStore): Promise<void> {
  const pinned = await lock.read()
  if (pinned === undefined) throw new Error('There is no lock.')
  const { all } = await runLock(pinned)
  for (const { system: systemSource, user: userSource, held: _, ...fields } of prompts) {
    // The hosted service has a temperature for every prompt.
    const temperature = fields.temperature ?? 0
    expect(all[fields.slug]).toMatchObject({ ...fields, temperature, systemSource, userSource })
  }
}
