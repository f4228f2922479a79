// The compiled model: its memory, its starts and steps, and its reader of records.

const unpacked = async (text) => {
  const packed = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

class Kernel {
  // `text` is the module, `instanceText` what it is told of the FMU.
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
    this.place = 0; // of inputs and outputs of a run
    this.placeSize = 0;
  }

  // -- runs --

  // Begin a run of `count` steps; `inputs` has a list of count + 1 values for each input.
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

  // Take the steps from `first` to before `last`; the reason where one fails.
  step(first, last, stepSize, lead) {
    const { startTime, count, outputs } = this.run;
    const reached = this.calls.run(startTime, stepSize, count, first, last, lead, this.place, outputs);
    if (reached === last) return "";
    return `at t=${written(startTime + reached * stepSize, 12)} s: ${this.text(this.calls.message())}`;
  }

  // The outputs by name, as lists of their own.
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

  // -- records --

  // Read the bytes of a file; `reading` says how where not by the usual rules.
  readRecord(name, bytes, reading) {
    const { text, encoding, problem } = decoded(name, bytes);
    if (problem) return { problem };
    const content = new TextEncoder().encode(text);
    const texts = [content, name, encoding, reading.unit ?? ""].map((one) => this.given(one));
    const isRead = this.calls.read_record(
      texts[0],
      content.length,
      texts[1],
      texts[2],
      reading.time ?? 0,
      reading.acceleration ?? 0,
      reading.normal ?? 0,
      texts[3],
      reading.interval ?? 0,
      reading.scale || 1,
      reading.remove_mean ? 1 : 0,
    );
    texts.forEach((one) => this.calls.release(one));
    const names = this.lines(this.calls.record_names());
    if (!isRead) return { problem: this.text(this.calls.message()), names };
    const length = this.calls.record_length();
    return {
      problem: "",
      name,
      names,
      times: this.numbers(this.calls.record_times(), length).slice(),
      acceleration: this.numbers(this.calls.record_acceleration(), length).slice(),
      normal: reading.normal ? this.numbers(this.calls.record_normal(), length).slice() : null,
      understood: this.lines(this.calls.record_understood()),
      warnings: this.lines(this.calls.record_warnings()),
      unit: this.text(this.calls.record_unit()),
    };
  }

  // -- memory; it may move with each call --

  numbers(place, count) {
    return new Float64Array(this.calls.memory.buffer, place, count);
  }

  text(place) {
    const bytes = new Uint8Array(this.calls.memory.buffer, place);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  lines(place) {
    return this.text(place).split("\n").filter((line) => line !== "");
  }

  given(text) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const place = this.calls.room(bytes.length + 1);
    const memory = new Uint8Array(this.calls.memory.buffer, place, bytes.length + 1);
    memory.set(bytes);
    memory[bytes.length] = 0;
    return place;
  }
}

// The text of a file by the rules of harness/records/encoding.py: UTF-16 shows by its mark; what is
// neither that nor UTF-8 at its beginning is taken as Windows-1252.
const headBytes = 65536;
const decoded = (name, bytes) => {
  const begins = (...mark) => mark.every((byte, at) => bytes[at] === byte);
  if (begins(0xff, 0xfe)) return { text: new TextDecoder("utf-16le").decode(bytes), encoding: "utf-16" };
  if (begins(0xfe, 0xff)) return { text: new TextDecoder("utf-16be").decode(bytes), encoding: "utf-16" };
  const head = bytes.subarray(0, headBytes);
  if (head.includes(0)) return { problem: `${name} is not a text file: save it as CSV` };
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "cp1252" };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "" };
  } catch {
    return { problem: `${name} is not UTF-8, but probably WINDOWS-1252: save it as 'CSV UTF-8'` };
  }
};
