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
