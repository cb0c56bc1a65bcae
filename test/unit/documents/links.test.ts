import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const LIST = [
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  '--',
  '*.md',
  '.github/*.md',
]
const PAGES = execFileSync('git', LIST, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
const LINK = /(?:\]\(|(?:src|srcset|href)=")(?<target>[^()\s"]+)[)"]/g

describe.each(PAGES)('%s', (page) => {
  const text = withoutCode(readFileSync(join(ROOT, page), 'utf8'))
  const targets = [...text.matchAll(LINK)].map(({ groups }) => groups?.['target'] ?? '')
  const local = [...new Set(targets.filter((target) => !/^[a-z]+:/.test(target)))]

  test('has no broken links', () => {
    expect(local.filter((target) => !resolves(page, target))).toEqual([])
  })
})

function resolves(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
  if (!existsSync(file)) return false
  return anchor === undefined || (statSync(file).isFile() && anchorsOf(file).has(anchor))
}

/** The anchors of the headings of a page on GitHub. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (?<title>.+)$/gm)
  return new Set([...headings].map(({ groups }) => anchorOf(groups?.['title'] ?? '')))
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(?<fence>`{3,}).*?^\k<fence>$/gms, '')
}
