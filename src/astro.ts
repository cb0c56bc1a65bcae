export { promptsIntegration as default } from './plugin/astro/integration.ts'
