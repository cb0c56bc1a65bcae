import { defineConfig } from 'unplugin-prompts'

export default defineConfig({
  // Key and address come from the environment: PROMPTS_API_KEY and PROMPTS_BASE_URL.
  exclude: 'ops/*',
})
