// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @kernel(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{'frit.kernel' must be a #frit.kernel attribute, but is "native.vector"}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x4xf32>)
      {frit.kernel = "native.vector"} -> tensor<4x4xf32>
  return
}

// -----

// expected-error@below {{'frit.kernel' is for operations that a kernel executes}}
func.func private @no_kernel() attributes {frit.kernel = #frit.kernel<"native.vector">}

// -----

// expected-error@below {{the id of a kernel must not be empty}}
func.func private @no_id() attributes {a = #frit.kernel<"">}

// -----

// expected-error@below {{'frit.unknown' is not an attribute of the frit dialect for operations}}
func.func private @unknown() attributes {frit.unknown}

// -----

// expected-error@below {{'frit.tensor' on argument 1 must be a string, but is 3}}
func.func private @tensor(i32, tensor<4xf32> {frit.tensor = 3})

// -----

// expected-error@below {{'frit.dims' on argument 0 must be an array of strings, but is ["a", 1]}}
func.func private @dims(tensor<4x4xf32> {frit.dims = ["a", 1]})

// -----

// expected-error@below {{'frit.dims' on argument 0 names 1 dimensions, but the argument has 2}}
func.func private @dims_rank(tensor<4x4xf32> {frit.dims = ["a"]})

// -----

// expected-error@below {{'frit.dims' on argument 0 needs a ranked type, but the argument is 'index'}}
func.func private @dims_scalar(index {frit.dims = ["a"]})

// -----

// expected-error@below {{'frit.other' is not an attribute of the frit dialect for arguments}}
func.func private @argument(index {frit.other})

// -----

// expected-error@below {{'frit.tensor' is not an attribute of the frit dialect for results}}
func.func private @result() -> (tensor<4xf32> {frit.tensor = "y"})

// -----

// expected-error @below {{the name of an image must not be empty}}
func.func private @f() attributes {image = #frit.image<"", "0000000000000000">}

// -----

// expected-error @below {{the hash of image 'a' must be 16 hexadecimal digits, but is '12x'}}
func.func private @f() attributes {image = #frit.image<"a", "12x">}

// -----

// expected-error @below {{'frit.launch' must be a #frit.launch attribute, but is 1 : i64}}
func.func private @f() attributes {frit.launch = 1 : i64}

// -----

// expected-error @below {{'frit.launch' belongs on gpu.launch_func}}
func.func private @f() attributes {frit.launch = #frit.launch<"k", []>}

// -----

// expected-error @below {{'frit.host' is a unit attribute of functions, but is 1 : i64 here}}
func.func private @f() attributes {frit.host = 1 : i64}

// -----

// expected-error@below {{'frit.transposed' on argument 0 must be a unit, but is true}}
func.func private @transposed(tensor<4x4xf32> {frit.transposed = true})

// -----

// expected-error@below {{'frit.transposed' on argument 0 needs a matrix, but the argument is 'tensor<4xf32>'}}
func.func private @transposed_vector(tensor<4xf32> {frit.transposed})
