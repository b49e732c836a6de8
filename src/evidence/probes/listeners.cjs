// The probes' listeners on the process, hidden from tests that count listeners or look through them.
"use strict";

const { defineProperty } = Object;
const ours = new WeakSet();
const { eventNames, listenerCount, listeners, rawListeners } = process;

exports.on = (event, listener) => {
  if (!Object.prototype.hasOwnProperty.call(process, "listeners")) hide();
  ours.add(listener);
  process.on(event, listener);
};

function hide() {
  const others = (all) => all.filter((listener) => !ours.has(listener));
  put("listeners", function (event) {
    return others(Reflect.apply(listeners, this, [event]));
  });
  put("rawListeners", function (event) {
    return others(Reflect.apply(rawListeners, this, [event]));
  });
  put("listenerCount", function (event, listener) {
    return listener === undefined
      ? this.rawListeners(event).length
      : Reflect.apply(listenerCount, this, arguments);
  });
  put("eventNames", function () {
    return Reflect.apply(eventNames, this, []).filter((event) => this.listenerCount(event) > 0);
  });
}

function put(name, value) {
  defineProperty(process, name, { value, configurable: true, writable: true, enumerable: false });
}
