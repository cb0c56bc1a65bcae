import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const HOME = 'https://github.com/acme/unplugin-prompts'
const LINK = /(?:\]\(|(?:src|srcset|href)=")(?<target>[^()\s"]+)[)"]/g

test('the page of a release names the repository, and links to its files at that tag', async () => {
  const folder = await temporaryFolder()
  for (const file of ['package.json', 'README.md'])
    await copyFile(join(ROOT, file), join(folder, file))
  const run = (script: string, argument: string): Buffer =>
    execFileSync(process.execPath, [join(ROOT, 'src/build', script), argument], { cwd: folder })
  run('repository.js', 'acme/renamed')
  run('repository.js', 'acme/unplugin-prompts')
  run('registry-page.js', 'v1.2.3')
  // Provenance requires the repository.
  expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    repository: { type: 'git', url: `git+${HOME}.git` },
    homepage: `${HOME}#readme`,
    bugs: { url: `${HOME}/issues` },
  })
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const targets = [...readme.matchAll(LINK)].map(({ groups }) => groups?.['target'] ?? '')
  const files = targets.filter((target) => target.startsWith(HOME))
  expect(targets.filter((target) => !/^(?:https:|#)/.test(target))).toEqual([])
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const [, kind, path = ''] = /\/(blob|raw)\/v1\.2\.3\/([^#]+)/.exec(file) ?? []
    expect(kind).toBe(path.endsWith('.png') ? 'raw' : 'blob')
    expect(existsSync(join(ROOT, path))).toBe(true)
  }
})

test.each([
  ['refuses to publish a package that npm does not have', 'exit 1', 1, ''],
  ['publishes a version that npm does not have', `echo '["0.1.0"]'`, 0, ''],
  ['publishes no version that was published by hand', `echo '"0.2.0"'`, 0, 'published=true\n'],
])('the release %s', async (_, answer, status, output) => {
  const workflow = parse(await readFile(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as {
    jobs: { release: { steps: { id?: string; run?: string }[] } }
  }
  const step = workflow.jobs.release.steps.find(({ id }) => id === 'registry')
  const folder = await temporaryFolder({ npm: `#!/bin/sh\n${answer}\n` })
  await chmod(join(folder, 'npm'), 0o755)
  await writeFile(join(folder, 'output'), '')
  const run = spawnSync('bash', ['-e', '-c', step?.run ?? 'exit 9'], {
    encoding: 'utf8',
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      GITHUB_REF_NAME: 'v0.2.0',
      GITHUB_OUTPUT: join(folder, 'output'),
    },
  })
  expect(run.status).toBe(status)
  expect(run.stdout.includes('::error::')).toBe(status !== 0)
  expect(await readFile(join(folder, 'output'), 'utf8')).toBe(output)
})
