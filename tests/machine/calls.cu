// Kernels with calls: memory of their own, and functions that call themselves.

struct Node {
  int number;
  Node* next;
};

// Of thread i: i % 5 + 1 nodes in a list with 0, i, 2i..., i % 7 + 1 numbers from 0 on, and 3 doubles with the first i.
extern "C" __global__ void lists(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* head = nullptr;
  for (int k = 0; k <= i % 5; ++k) {
    Node* node = new Node;
    if (node == nullptr) {
      out[i] = -1;
      return;
    }
    node->number = k * i;
    node->next = head;
    head = node;
  }
  int* numbers = static_cast<int*>(malloc((i % 7 + 1) * sizeof(int)));
  for (int k = 0; k <= i % 7; ++k) numbers[k] = k;
  int sum = 0;
  for (int k = 0; k <= i % 7; ++k) sum += numbers[k];
  free(numbers);
  while (head != nullptr) {
    sum += head->number;
    Node* next = head->next;
    delete head;
    head = next;
  }
  double* doubles = new double[3];
  doubles[0] = i;
  out[i] = sum + static_cast<int>(doubles[0]);
  delete[] doubles;
}

extern "C" __global__ void takes(unsigned long long bytes, void** out) { out[threadIdx.x] = malloc(bytes); }
extern "C" __global__ void gives(void** out) { free(out[threadIdx.x]); }

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void fibonaccis(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 16); }

__device__ void sort(int* numbers, int first, int last) {
  if (first >= last) return;
  const int middle = numbers[(first + last) / 2];
  int i = first, k = last;
  while (i <= k) {
    while (numbers[i] < middle) ++i;
    while (numbers[k] > middle) --k;
    if (i <= k) {
      const int other = numbers[i];
      numbers[i++] = numbers[k];
      numbers[k--] = other;
    }
  }
  sort(numbers, first, k);
  sort(numbers, i, last);
}
extern "C" __global__ void sorts(int* numbers, int count) { sort(numbers + threadIdx.x * count, 0, count - 1); }

__device__ __noinline__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }
extern "C" __global__ void parities(int* out) { out[threadIdx.x] = is_even(threadIdx.x); }

// Each call has an array of its own, and reads the array of its caller.
__device__ __noinline__ int walk(const int* path, int depth, int deepest) {
  int mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = path[k] + k * depth;
  if (depth == deepest) return mine[0] + mine[1] * 2 + mine[2] * 3 + mine[3];
  int sum = 0;
  for (int k = 0; k < 2; ++k) {
    ++mine[k];
    sum += walk(mine, depth + 1, deepest);
  }
  return sum + mine[3];
}
extern "C" __global__ void walks(int* out) {
  const int path[4]{static_cast<int>(threadIdx.x), 1, 2, 3};
  out[threadIdx.x] = walk(path, 0, 3 + threadIdx.x % 3);
}

// The result of a call is an argument of the next.
__device__ __noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
extern "C" __global__ void ackermanns(int* out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x % 5); }

struct Shape {
  __device__ virtual double area(int depth) const = 0;
};
struct Square : Shape {
  double side;
  __device__ explicit Square(double of) : side(of) {}
  __device__ double area(int) const override { return side * side; }
};
struct Pair : Shape {
  const Shape *a, *b;
  __device__ Pair(const Shape* first, const Shape* second) : a(first), b(second) {}
  __device__ double area(int depth) const override { return a->area(depth + 1) + b->area(depth + 1) + depth; }
};
extern "C" __global__ void areas(double* out) {
  const Square a(threadIdx.x), b(2), c(0.5);
  const Pair p(&a, &b), q(&p, &c), r(&q, &p);
  const Shape* all[3]{&p, &q, &r};
  out[threadIdx.x] = all[threadIdx.x % 3]->area(0);
}

__device__ __noinline__ int down(int n, const int* numbers) {
  return n == 0 ? 0 : numbers[n % 4] + 2 * down(n - 1, numbers);
}
extern "C" __global__ void downs(int n, int* numbers) { numbers[threadIdx.x] = down(n, numbers); }
