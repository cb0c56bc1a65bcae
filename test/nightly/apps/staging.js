// An edit on its way from staging to live in an app of a framework.
import assert from 'node:assert'
import { writeFileSync } from 'node:fs'
import { withServer } from './run.js'

/** What a route answers for a user, whom `early` gives the staging versions. */
export const ANSWER = `{
    version: triage.version,
    environment: triage.environment,
    isSame: staging.supportTriage === prompts.supportTriage,
  }`

/**
 * Builds and starts an app with an edit in staging, as a preview over the same caches, and with the edit
 * published; asks each time for two users.
 *
 * @param build - gets variables
 * @param start - starts what was built
 * @param path - of the route with {@link ANSWER}
 * @param onBuilt - called after the first build
 */
export async function fromStagingToLive({ lock, locks }, { build, start, path, onBuilt }) {
  const answers = () =>
    withServer(start(), async (server) => {
      const asked = [path, `${path}?early=1`].map((url) =>
        server.ask(url, ({ status }) => status === 200),
      )
      return (await Promise.all(asked)).map(({ text }) => JSON.parse(text))
    })
  try {
    writeFileSync(lock, locks.staged)
    await build({})
    onBuilt?.()
    const live = { version: 'v22', environment: 'live', isSame: false }
    assert.deepEqual(await answers(), [live, { ...live, version: 'v23', environment: 'test' }])
    await build({ PROMPTS_ENVIRONMENT: 'test' })
    const preview = { version: 'v23', environment: 'test', isSame: true }
    assert.deepEqual(await answers(), [preview, preview])
    writeFileSync(lock, locks.new)
    await build({})
    const published = { ...preview, environment: 'live' }
    assert.deepEqual(await answers(), [published, published])
  } finally {
    writeFileSync(lock, locks.old)
  }
}
