import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import type { TestService } from './local-service.ts'

export interface Reader {
  /** What it is called in messages. */
  label(service: TestService): string
  /** The files of its configuration. */
  readonly files: Readonly<Record<string, string>>
  /** The variables of a service, with keys for both environments. */
  variables(service: TestService): Readonly<Record<string, string>>
}

/** Two functions that read the local service. */
export const CONFIG = `
const keys = { live: 'OWN_KEY', test: 'OWN_TEST_KEY' }
const ask = ({ env, fetchJson }, environment, path) =>
  fetchJson(env.OWN_URL + '/api/v1/prompts' + path, {
    headers: { authorization: 'Bearer ' + env[keys[environment]] },
  })
export default {
  service: {
    name: 'Own',
    secrets: Object.values(keys),
    list: async (context) => (await ask(context, 'test', '')).prompts,
    get: (slug, context) => ask(context, context.environment, '/' + encodeURIComponent(slug)),
  },
}
`

/** A custom service whose functions end the process, for what must call none of them. */
export const UNCALLED = `const fail = () => process.exit(1)
export default { service: { name: 'Own', secrets: ['OWN_KEY'], list: fail, get: fail } }`

/** Everything that reads a service works with both. */
export const READERS: Readonly<Record<'the built-in service' | 'a custom service', Reader>> = {
  'the built-in service': {
    label: (service) => service.server.url,
    files: {},
    variables: (service) => service.both,
  },
  'a custom service': {
    label: () => 'Own',
    files: { 'prompts.config.mjs': CONFIG },
    variables: ({ server }) => ({
      OWN_URL: server.url,
      OWN_KEY: LOCAL_KEYS.live,
      OWN_TEST_KEY: LOCAL_KEYS.test,
    }),
  },
}
