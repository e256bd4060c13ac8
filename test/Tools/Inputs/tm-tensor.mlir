func.func @f(%x: tensor<2xi64>, %y: tensor<i64>) -> tensor<2xi64> {
  // tm_tensor.sort
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<2xi64>) outs(%x, %y : tensor<2xi64>, tensor<i64>)
  return %0 : tensor<2xi64>
}
