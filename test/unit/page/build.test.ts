import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { ASSETS } from '../../../src/page/server/page.ts'
import { buildPage } from '../../helpers/page/built-page.ts'

beforeAll(() => buildPage())

test('the built page has the files that its server knows, at most 48 KB when compressed', async () => {
  const names = await readdir(ASSETS)
  expect(names.toSorted()).toEqual(['app.css', 'app.js', 'icon.svg', 'index.html'])
  const files = await Promise.all(names.map((name) => readFile(join(ASSETS, name))))
  const sizes = files.map((file) => gzipSync(file, { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(48 * 1024)
})

test('the built page has no inline script or style, and never parses a text as HTML or as code', async () => {
  const html = await readFile(join(ASSETS, 'index.html'), 'utf8')
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
  expect(html).not.toMatch(/<style|\bstyle=|\bon\w+=/)
  const script = await readFile(join(ASSETS, 'app.js'), 'utf8')
  expect(script).not.toMatch(/\beval\(|new Function|document\.write|insertAdjacentHTML/)
})

test('the built page names no file of the machine that built it, whatever NODE_ENV is', async () => {
  expect(process.env['NODE_ENV']).toBe('test')
  expect(await readFile(join(ASSETS, 'app.js'), 'utf8')).not.toMatch(/components\/[\w-]+\.tsx/)
})
