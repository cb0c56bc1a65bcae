// The app that the nightly check of frameworks builds with Nuxt.
import { WRONG } from '../apps/sources.js'
import { TYPESCRIPT } from './sources.js'

/** Nuxt with its Vite and Nitro. */
export const nuxt = {
  name: 'Nuxt',
  setup: 'nuxt',
  packages: ['nuxt@4.5.2', 'vue@3.5.45', 'vue-router@5.5.1', 'vue-tsc@3.3.14', TYPESCRIPT],
  config: {
    name: 'nuxt.config.ts',
    before: "export default defineNuxtConfig({ compatibilityDate: '2026-01-01' })\n",
    entry: "modules: ['unplugin-prompts/nuxt']",
  },
  files: {
    'tsconfig.json': JSON.stringify({
      files: [],
      references: ['app', 'server', 'shared', 'node'].map((name) => ({
        path: `./.nuxt/tsconfig.${name}.json`,
      })),
    }),
    'app/plugins/version.server.ts': `import { prompts } from 'virtual:prompts'
export default defineNuxtPlugin(() => void useState('version', () => prompts.supportTriage.version))
`,
    // The button is code for browsers.
    'app/app.vue': `<script setup lang="ts">
const version = useState<string>('version')
const pressed = ref('pressed')
</script>

<template><h1>{{ version }}</h1><button @click="pressed += '!'">{{ pressed }}</button></template>
`,
    'server/api/prompt.ts': `import { prompts } from 'virtual:prompts'
import { triage } from '../../shared/utils/triage'
export default defineEventHandler(() => ({ version: prompts.supportTriage.version, text: triage() }))
`,
    'shared/utils/triage.ts': `import { prompts } from 'virtual:prompts'
export const triage = () => prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text
`,
  },
  rendered: '/api/triage',
  page: '/_nuxt/__prompts/',
  dev: (port) => ['npx', 'nuxt', 'dev', '--port', port, '--no-fork'],
  build: ['npx', 'nuxt', 'build'],
  run: () => ['node', '.output/server/index.mjs'],
  output: { server: '.output/server/chunks', client: '.output/public' },
  /** The declarations refuse each of these files. */
  wrong: {
    'app/wrong.ts': WRONG,
    'server/wrong.ts': WRONG,
    'shared/wrong.ts': WRONG,
    'nuxt.config.ts': `export default defineNuxtConfig({
  modules: ['unplugin-prompts/nuxt'],
  prompts: { tickets: true },
})
`,
  },
  types: ['npx', 'vue-tsc', '-b', '--noEmit'],
  client: {
    'app/app.vue': `<script setup lang="ts">
import { prompts } from 'virtual:prompts'
</script>

<template><h1>{{ prompts.supportTriage.version }}</h1></template>
`,
  },
}
