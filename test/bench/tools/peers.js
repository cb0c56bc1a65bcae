import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment } from './process.js'

/** What other packages need to put the same texts into a build. */
const PACKAGES = [
  '@content-collections/core@0.15.3',
  '@content-collections/vite@0.3.1',
  '@inlang/paraglide-js@2.25.4',
  '@inlang/plugin-message-format@4.4.4',
  'zod@4.6.7',
]

/** The first prompts that an app uses. */
const USED = 10

/**
 * Installs other packages into the folder of the run, and makes an app for each that has the texts of prompts.
 *
 * @returns the folders of the apps, by the package
 */
export async function preparePeers(work, prompts) {
  const folder = join(work.root, 'peers')
  await writeAll(folder, { 'package.json': '{ "type": "module" }\n' })
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES]
  await promisify(execFile)('npm', install, { cwd: folder, env: cleanEnvironment({}) })
  const collections = join(folder, 'content-collections')
  const paraglide = join(folder, 'paraglide')
  await writeAll(collections, contentCollections(prompts))
  await writeAll(paraglide, messages(prompts))
  return { collections, paraglide }
}

function contentCollections(prompts) {
  const texts = prompts.map(({ slug, system, user }) => [
    `content/${slug}.json`,
    JSON.stringify({ slug, system, user }),
  ])
  const slugs = JSON.stringify(prompts.slice(0, USED).map(({ slug }) => slug))
  return {
    ...Object.fromEntries(texts),
    'content-collections.ts': `import { defineCollection, defineConfig } from '@content-collections/core'
import { z } from 'zod'
const schema = z.object({ slug: z.string(), system: z.string(), user: z.string() })
const prompts = defineCollection({ name: 'prompts', directory: 'content', include: '*.json', parser: 'json', schema })
export default defineConfig({ content: [prompts] })
`,
    'plugins.js': `import plugin from '@content-collections/vite'\nexport default [plugin()]\n`,
    'src/main.js': `import { allPrompts } from 'content-collections'\nfor (const slug of ${slugs}) console.log(allPrompts.find((prompt) => prompt.slug === slug))\n`,
  }
}

function messages(prompts) {
  const texts = prompts.map(({ slug, system, user }) => [
    slug.replaceAll('-', '_'),
    `${system}\n\n${user}`.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, '{$1}'),
  ])
  const settings = {
    baseLocale: 'en',
    locales: ['en'],
    modules: ['../node_modules/@inlang/plugin-message-format/dist/index.js'],
    'plugin.inlang.messageFormat': { pathPattern: './messages/{locale}.json' },
  }
  const calls = texts.slice(0, USED).map(([name]) => `console.log(m.${name}(globalThis.values))\n`)
  return {
    'project.inlang/settings.json': JSON.stringify(settings),
    'messages/en.json': JSON.stringify(Object.fromEntries(texts)),
    'plugins.js': `import { paraglideVitePlugin } from '@inlang/paraglide-js'\nexport default [paraglideVitePlugin({ project: './project.inlang', outdir: './src/paraglide' })]\n`,
    'src/main.js': `import { m } from './paraglide/messages.js'\n${calls.join('')}`,
  }
}

async function writeAll(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
