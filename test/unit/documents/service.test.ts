import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_KEYS, respond } from '../../../src/local-service/respond.ts'
import { parseWorkspace } from '../../../src/local-service/workspace-file.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../src/docs/service.md'), 'utf8')

function blocks(language: string): string[] {
  const found = PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))
  return Array.from(found, ([, code = '']) => code)
}

test('the local service gives the answers of the page from the workspace file of the page', () => {
  const [file = ''] = blocks('yaml')
  const workspace = parseWorkspace(file, 'service.md')
  const answers = ['/api/v1/prompts', '/api/v1/prompts/support-triage'].map((path) =>
    respond({ method: 'GET', path, authorization: `Bearer ${LOCAL_KEYS.live}` }, workspace),
  )
  expect(answers.map(({ body }) => JSON.parse(body))).toEqual(
    blocks('json').map((j) => JSON.parse(j)),
  )
  const staging = respond(
    {
      method: 'GET',
      path: '/api/v1/prompts/support-triage',
      authorization: `Bearer ${LOCAL_KEYS.test}`,
    },
    workspace,
  )
  expect(JSON.parse(staging.body)).toMatchObject({ version: 'v23', environment: 'test' })
})
