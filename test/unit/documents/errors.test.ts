import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeError } from '../../../src/cli/commands/explain/index.ts'
import { background } from '../../../src/cli/view/background.ts'
import { type ErrorCode, catalogue } from '../../../src/errors/catalogue.ts'

const PAGE = join(import.meta.dirname, '../../../src/docs/errors.md')
const HEADING = '## Codes\n'

test('the page of errors has every permanent code, as the catalogue explains it', async () => {
  const [introduction] = (await readFile(PAGE, 'utf8')).split(HEADING)
  const codes = Object.keys(catalogue) as ErrorCode[]
  const page = [introduction, HEADING, ...codes.map(section)].join('')
  await expect(page, 'Run `npm run update-docs`, and read the difference.').toMatchFileSnapshot(
    PAGE,
  )
})

function section(code: ErrorCode): string {
  const { why, fix } = describeError(code)
  const more = code in background ? `${background[code]}\n\n` : ''
  return `\n### \`${code}\`\n\n${why}\n\n${more}**Fix:** ${fix}\n`
}
