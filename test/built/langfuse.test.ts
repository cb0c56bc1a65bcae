import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { installedApp } from '../helpers/installed-app.ts'
import { LANGFUSE_KEYS, type LangfuseVersion, startLangfuse } from '../helpers/langfuse-server.ts'
import { runLines } from './shell.ts'
import { installCommands } from './installed-commands.ts'

const PAGE = join(import.meta.dirname, '../../src/docs/services/langfuse.md')
const BLOCK = /^```(?:ts|sh)\n(?<code>.*?)^```$/gms
const MAIN = `import { prompts } from 'virtual:prompts'
console.log(prompts['support/triage'].render({ ticket: 'It beeps' }).text)
`

const TRIAGE = { name: 'support/triage', version: 12, prompt: 'Sort {{ticket}}.' }
const MISFIT = { name: 'other-team/agent', prompt: '{{#items}}x{{/items}}' }

test('three commands of the page of Langfuse set an app up, and a prompt that does not fit stops none of them', async () => {
  let versions: readonly LangfuseVersion[] = [TRIAGE]
  const address = await startLangfuse(() => versions)
  const page = await readFile(PAGE, 'utf8')
  const [config = '', variables = '', commands = ''] = Array.from(
    page.matchAll(BLOCK),
    ({ groups }) => groups?.['code'] ?? '',
  )
  const values = { ...LANGFUSE_KEYS, LANGFUSE_BASE_URL: address }
  const root = await installedApp({
    files: {
      'prompts.config.ts': config,
      '.env.local': variables.replaceAll(
        /^(\w+)=.*$/gm,
        (_, name: keyof typeof values) => `${name}=${values[name]}`,
      ),
      'vite.config.js': 'export default { build: { ssr: "src/main.js" } }\n',
      'src/main.js': MAIN,
    },
    packages: ['vite'],
  })
  const bin = await installCommands(root)
  const PATH = [bin, process.env['PATH']].join(delimiter)
  const shell = (...lines: string[]) =>
    runLines(
      lines.map((line) => `${line} 2>&1`),
      root,
      { PATH },
    )
  const [install, ...others] = commands.trim().split('\n')
  expect(install).toBe('npm install --save-dev unplugin-prompts')
  // Nobody can be asked here.
  const setUp = await shell(...others.map((line) => `${line} --yes`))
  expect(setUp).toContain('support/triage')
  versions = [{ ...TRIAGE, version: 13, prompt: 'Order {{ticket}}.' }, MISFIT]
  const pulled = await shell('npx prompts pull --yes')
  expect(pulled).toMatch(/other-team\/agent +v1 +does not fit: system: line 1 has \{\{#items\}\}/)
  const built = await shell('npx vite build', 'node dist/main.js')
  expect(built).toContain('Order It beeps.')
})
