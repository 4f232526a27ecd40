export function SandboxDesk() {
  return null;
}
