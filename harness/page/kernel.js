// The compiled model: memory, start and steps.

class Kernel {
  // `text` is the module, `instanceText` the data of the FMU.
  static async load(text, instanceText, facts) {
    const { instance } = await WebAssembly.instantiate(await unpacked(text), {});
    instance.exports._initialize();
    const kernel = new Kernel(instance.exports, facts);
    const told = await unpacked(instanceText);
    const place = kernel.calls.room(told.length);
    new Uint8Array(kernel.calls.memory.buffer, place, told.length).set(told);
    const isTaken = kernel.calls.take_instance(place, told.length);
    kernel.calls.release(place);
    if (!isTaken) throw new Error(`the model's data ${kernel.text(kernel.calls.message())}`);
    return kernel;
  }

  constructor(calls, facts) {
    this.calls = calls;
    this.facts = facts;
    this.inputCount = facts.inputs.length;
    this.outputCount = facts.outputs.length;
    this.place = 0; // address of inputs and outputs of a run
    this.placeSize = 0;
  }

  // -- runs --

  // Start a run of `count` steps. `inputs` has a list of count + 1 values for each input.
  start({ startTime, count, parameters, inputs }) {
    const rows = this.inputCount + this.outputCount;
    const size = 8 * rows * (count + 1);
    if (size > this.placeSize) {
      if (this.place) this.calls.release(this.place);
      this.place = this.calls.room(size);
      this.placeSize = this.place ? size : 0;
      if (!this.place) return `${count} steps do not fit into the memory of this page`;
    }
    const values = this.numbers(this.calls.values(), this.inputCount + this.outputCount + parameters.length);
    inputs.forEach((samples, index) => {
      this.numbers(this.place + 8 * index * (count + 1), count + 1).set(samples);
      values[index] = samples[0];
    });
    values.set(parameters, this.inputCount + this.outputCount);
    const outputs = this.place + 8 * this.inputCount * (count + 1);
    this.run = { startTime, count, outputs };
    return this.calls.start(startTime, count, outputs) ? "" : this.text(this.calls.message());
  }

  // Take the steps from `first` to `last` − 1. Returns the reason if a step fails.
  step(first, last, stepSize, lead) {
    const { startTime, count, outputs } = this.run;
    const reached = this.calls.run(startTime, stepSize, count, first, last, lead, this.place, outputs);
    if (reached === last) return "";
    return `at t=${written(startTime + reached * stepSize, 12)} s: ${this.text(this.calls.message())}`;
  }

  // The outputs by name, copied to lists.
  outputs() {
    const { count, outputs } = this.run;
    return Object.fromEntries(
      this.facts.outputs.map(({ name }, index) => [
        name,
        this.numbers(outputs + 8 * index * (count + 1), count + 1).slice(),
      ]),
    );
  }

  // The coefficient of friction in slip as a function of the velocity.
  frictionOf(parameters) {
    const values = this.numbers(this.calls.asked_values(), this.inputCount + this.outputCount + parameters.length);
    values.set(parameters, this.inputCount + this.outputCount);
    this.calls.ask();
    return this.calls.coefficient;
  }

  // -- memory, which may move with each call --

  numbers(place, count) {
    return new Float64Array(this.calls.memory.buffer, place, count);
  }

  text(place) {
    const bytes = new Uint8Array(this.calls.memory.buffer, place);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }
}
