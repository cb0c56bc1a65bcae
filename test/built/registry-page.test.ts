import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const HOME = 'https://github.com/acme/unplugin-prompts'
const LINK = /(?:\]\(|(?:src|srcset|href)=")(?<target>[^()\s"]+)[)"]/g

describe('what the registry shows of a release', () => {
  let readme = ''
  let manifest: Record<string, unknown> = {}

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'registry-page-'))
    for (const file of ['package.json', 'README.md']) {
      await copyFile(join(ROOT, file), join(folder, file))
    }
    const script = join(ROOT, 'src/build/registry-page.js')
    execFileSync(process.execPath, [script, 'acme/unplugin-prompts', 'v1.2.3'], { cwd: folder })
    readme = await readFile(join(folder, 'README.md'), 'utf8')
    const text = await readFile(join(folder, 'package.json'), 'utf8')
    manifest = JSON.parse(text) as Record<string, unknown>
    return () => rm(folder, { recursive: true })
  })

  test('the manifest names the repository, which provenance requires', () => {
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: `git+${HOME}.git` },
      homepage: `${HOME}#readme`,
      bugs: { url: `${HOME}/issues` },
    })
  })

  test('links and pictures of README are addresses of files in the repository at that tag', () => {
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
})
