export class Emitter {
  listeners = new Map();

  on(name, listener) {
    const all = this.listeners.get(name) ?? [];
    all.push(listener);
    this.listeners.set(name, all);
    return () => all.splice(all.indexOf(listener), 1);
  }

  emit(name, payload) {
    for (const listener of this.listeners.get(name) ?? []) listener(payload);
  }
}
